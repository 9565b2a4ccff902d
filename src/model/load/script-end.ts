import type { ScriptResults } from "../measurement/generator.ts";

type Gate = ScriptResults["thresholds"][number];

/** What k6's end means for a script: its figures are valid, maybe with a gate that it broke itself, or it failed. */
type ScriptEnd =
  | { readonly kind: "result"; readonly gates: readonly Gate[] }
  | { readonly kind: "failure"; readonly reason: string };

/** Exit codes of k6 (`errext/exitcodes`) after a load that was measured, with the name of the gate that they break. */
const gateNames: ReadonlyMap<number, string> = new Map([
  [101, "teardown within teardownTimeout"],
  [107, "teardown without an exception"],
  [108, "exec.test.abort"],
  [110, "exec.test.fail"],
]);

/** All others, and the same before the load. */
const reasons: ReadonlyMap<number, string> = new Map([
  [97, "failed in k6's cloud, which cannot be used here"],
  [98, "lost k6's cloud, which cannot be used here"],
  [100, "took too long in `setup`: raise `setupTimeout`"],
  [101, "took too long in `teardown`: raise `teardownTimeout`"],
  [102, "took too long"],
  [103, "was stopped through k6's REST API"],
  [104, "has options that k6 rejects"],
  [105, "was ended by a signal from outside"],
  [106, "could not start k6's REST API"],
  [107, "threw an exception"],
  [108, "ended the test itself (`exec.test.abort`)"],
  [109, "made k6 itself fail"],
  [110, "called the test failed (`exec.test.fail`)"],
]);

/** Exit code by which k6 says that a threshold was crossed: it is among the results. */
const thresholdsCrossed = 99;
const longestWords = 200;

/** `iterations`: completed ones; with none, nothing was measured. `log`: k6's, in logfmt. */
export function endOfScript(code: number | null, iterations: number, log: string): ScriptEnd {
  if (code === 0 || code === thresholdsCrossed) return { kind: "result", gates: [] };
  const words = lastWords(code, log);
  const metric = gateNames.get(code ?? -1);
  if (metric !== undefined && iterations > 0) {
    const gate = { metric, condition: words ?? "must not happen", isKept: false, value: code ?? 0 };
    return { kind: "result", gates: [gate] };
  }
  const module = /k6\/x\/[\w./-]{1,100}/.exec(words ?? "")?.[0];
  if (module !== undefined) {
    const remedy = "build a k6 that has it with xk6, and set LOADTEST_K6 to its path";
    return { kind: "failure", reason: `imports ${module}, which this k6 does not have; ${remedy}` };
  }
  const what = reasons.get(code ?? -1) ?? "could not run to its end";
  return { kind: "failure", reason: words === undefined ? what : `${what}: ${words}` };
}

/** k6's words around the script's own. */
const frames = [
  /^could not initialize '.*?': /,
  /^could not load JS test '.*?': /,
  /^test (?:aborted|marked as failed): /,
  /^error while calling [\w.]+: /,
] as const;

/** How k6 begins the entry that a code is about; else the last one that is neither a user's nor the script's own. */
const beginnings: ReadonlyMap<number | null, RegExp> = new Map([
  [108, /msg="?test aborted/],
  [110, /msg="?test marked as failed/],
]);

/** The first line of that error in k6's log. A stack follows in the same entry. */
function lastWords(code: number | null, log: string): string | undefined {
  const beginning = beginnings.get(code);
  const entry = log
    .split("\n")
    .findLast(
      (line) =>
        /^time=\S+ level=error msg=/.test(line) &&
        (beginning?.test(line) ?? !/ (executor=|source=console)/.test(line)),
    );
  return wordsOf(entry);
}

/** What the last iteration that threw an exception says in k6's log; k6 itself goes on and counts none of them. */
export function thrownIn(log: string): string | undefined {
  return wordsOf(
    log
      .split("\n")
      .findLast((line) => /^time=\S+ level=error msg=.* executor=.* source=stacktrace/.test(line)),
  );
}

function wordsOf(entry: string | undefined): string | undefined {
  const [, quoted, bare] = /msg=(?:("(?:[^"\\]|\\.)*")|(\S+))/.exec(entry ?? "") ?? [];
  const text = quoted === undefined ? bare : unquoted(quoted);
  const [opening = "", second = ""] = text?.split("\n") ?? [];
  const isHeading = opening === "There were problems with the specified script configuration:";
  const first = isHeading ? second.replace(/^\s*- /, "") : opening;
  const line = frames.reduce(
    (rest, frame) => rest.replace(frame, ""),
    first.replace(/ at [\w.<>]{1,100} \(file:\/\/\S*\)$/, "").trim(),
  );
  return line === "" ? undefined : line.slice(0, longestWords);
}

/** Go's quotes are nearly JSON's. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text.replaceAll(/\\x([\da-f]{2})/g, "\\u00$1").replaceAll("\\a", "")));
  } catch {
    return text.slice(1, -1);
  }
}
