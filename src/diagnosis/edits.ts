import type { FoundCause } from "../model/findings/diagnosis.ts";
import type { Edit } from "../model/findings/finding.ts";
import type { Place } from "../model/findings/probe-document.ts";

type Change = Pick<Edit, "line" | "before" | "after">;

/** Longer lines are hardly written by people. */
const longestLine = 200;

/** The remedy as an edit of the file's text; none unless it is certain from the lines themselves. */
export function editsOf({ cause, pool, place }: FoundCause, text: string): readonly Change[] {
  const lines = text.split("\n");
  const found =
    pool !== undefined
      ? largerPool(lines, pool)
      : cause === "blocking call on the event loop" && place !== undefined
        ? awaitedCall(lines, place)
        : [];
  const isShort = ({ before, after }: Change) =>
    [before, after].every((each) => each.length <= longestLine && !/\p{C}/u.test(each.replaceAll("\n", "")));
  return found.every(isShort) ? found : [];
}

/** More lines than the call that makes a pool has. */
const mostLines = 30;

const sizes = /\b(max_size|pool_size)\s*=\s*(\d+)(?=\s*(?:[,)#]|$))/g;

/** The pool's size as a number in the call that makes it, the only one of its name there. */
function largerPool(lines: readonly string[], { place, name, from, to }: NonNullable<FoundCause["pool"]>) {
  const own = lines.slice(place.line - 1, place.line - 1 + mostLines);
  const last = own.findIndex((_, index) => !/[([{]/.test(bare(own.slice(0, index + 1).join("\n"))));
  const call = own.slice(0, last + 1);
  if (/["']/.test(bare(call.join("\n"), false))) return [];
  const found = call.flatMap((before, index) =>
    [...bare(before, false).matchAll(sizes)].flatMap(([whole, keyword, digits]) =>
      keyword === name
        ? [
            {
              line: place.line + index,
              before,
              after: before.replace(whole, whole.replace(/\d+$/, `${to}`)),
              digits,
              whole,
            },
          ]
        : [],
    ),
  );
  return found.length === 1
    ? found.flatMap(({ whole, digits, ...change }) =>
        Number(digits) === from && change.before.split(whole).length === 2 ? [change] : [],
      )
    : [];
}

/** Code without its strings, remarks, and brackets that are closed. */
function bare(text: string, isFlat = true): string {
  let code = text.replaceAll(/"[^"\\\n]*"|'[^'\\\n]*'/g, "").replaceAll(/#.*$/gm, "");
  for (let before = ""; isFlat && before !== code; ) {
    before = code;
    code = code.replaceAll(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, "");
  }
  return code;
}

/** Functions that wait and do nothing else, so that they may wait in a thread as well. */
const waiting =
  /^(?:(?:requests|httpx)\.(?:get|post|put|patch|delete|head|options|request)|urllib\.request\.urlopen|subprocess\.(?:run|call|check_call|check_output)|socket\.(?:gethostbyname|getaddrinfo))$/;

/** A call that is a statement of its own in an `async def`, and the import that it needs. */
function awaitedCall(lines: readonly string[], { line, code, function: name }: Place): readonly Change[] {
  const before = lines[line - 1] ?? "";
  const [, start, callee, given] =
    /^(\s+(?:return |[A-Za-z_]\w* = )?)([a-z][\w.]*)\((.*)\)$/.exec(before) ?? [];
  if (start === undefined || callee === undefined || given === undefined) return [];
  const isSleep = callee === "time.sleep";
  if (!isSleep && !waiting.test(callee)) return [];
  const [module = ""] = callee.split(".");
  const isMeasured = code !== "" && before.trim().startsWith(code);
  const isImported = lines.some(
    (each) => each === `import ${module}` || each.startsWith(`import ${module}.`),
  );
  if (!isMeasured || !isImported || !isPlain(given) || !isInAsync(lines, line, name)) return [];
  const call = isSleep
    ? `asyncio.sleep(${given})`
    : `asyncio.to_thread(${[callee, given].filter(Boolean).join(", ")})`;
  return [...importOf(lines), { line, before, after: `${start}await ${call}` }];
}

/** Nothing where it is imported. */
function importOf(lines: readonly string[]): readonly Change[] {
  if (lines.includes("import asyncio")) return [];
  const index = lines.findIndex((each) => /^import \w/.test(each));
  const before = lines[index] ?? "";
  return [{ line: index + 1, before, after: `import asyncio\n${before}` }];
}

/** True for arguments that are neither `) + f(` nor half a string, and wait for nothing themselves. */
function isPlain(words: string): boolean {
  return !/["'\\()[\]{}]/.test(bare(words)) && !/\b(?:await|yield|for)\b|:=|#/.test(words);
}

/** True when the function around a line is the `async def` that ran. */
function isInAsync(lines: readonly string[], line: number, name: string): boolean {
  const [own = ""] = name.split(".").slice(-1);
  let indent = indentOf(lines[line - 1] ?? "");
  for (const each of lines.slice(0, line - 1).toReversed()) {
    const code = each.trim();
    if (code === "" || code.startsWith("#") || indentOf(each) >= indent) continue;
    if (/^(?:async def|def|class)\b/.test(code)) return code.startsWith(`async def ${own}(`);
    // The end of a head of several lines is as far in as its first word.
    indent = /^[)\]}]/.test(code) ? indentOf(each) + 1 : indentOf(each);
  }
  return false;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
