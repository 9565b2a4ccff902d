// Checks that what comes back every ten seconds is reported, with its line: a pull request whose endpoint blocks the event
// loop for a second, ten seconds after the last time, and one of equal code. No server of a replicate gets that old.
//
// `npm run bench -- soak` runs the first ten times and the second three times; `--runs 3` and `--equal 1` fewer. Each
// takes two to four minutes.

import { agingOf, looks } from "../src/engine.ts";
import { median, print, printFigures, rounded } from "./parts/timing.ts";
import type { Pair } from "./regressions/pairs.ts";
import { type PairRun, runPair } from "./regressions/run.ts";

const blocking = "        time.sleep(1)";
const equal: Pair = { name: "equal code", kind: "same", guilty: [], base: [], head: [] };
const periodic: Pair = {
  name: "blocks once in ten seconds",
  kind: "slower",
  guilty: ["refresh"],
  base: [],
  head: [
    {
      file: "main.py",
      from: "async def current_user():",
      to: [
        "def refresh():",
        "    global REFRESHED",
        "    if time.monotonic() > REFRESHED + 10:",
        blocking,
        "        REFRESHED = time.monotonic()",
        "\n\nasync def current_user():",
      ].join("\n"),
    },
    { file: "main.py", from: "    items = find_items", to: "    refresh()\n    items = find_items" },
    { file: "main.py", from: "app = FastAPI()", to: "REFRESHED = time.monotonic()\napp = FastAPI()" },
    { file: "main.py", from: '"""A shop."""\n', to: '"""A shop."""\n\nimport time\n' },
  ],
};

const option = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
/** Enough for a verdict, a pair that lives for a minute, and once more. */
const minutes = 5;
const runs = option("runs", 10);
const equalRuns = option("equal", 3);

const found = { periodic: 0, line: 0, equal: 0 };
const effects: number[] = [];
const seconds: number[] = [];
for (let run = 1; run <= Math.max(runs, equalRuns); run += 1) {
  if (run <= equalRuns) {
    const same = runPair(equal, minutes);
    const { effect, kind } = agingIn(same);
    if (kind !== "none") found.equal += 1;
    print(`equal code ${run}/${equalRuns}: ${kind} ${percent(effect)}, ${same.seconds.toFixed(0)} s`);
  }
  if (run > runs) continue;
  const slow = runPair(periodic, minutes);
  const { effect, kind } = agingIn(slow);
  const line = lineIn(slow);
  if (kind === "slower") found.periodic += 1;
  if (kind === "slower" && line !== undefined) found.line += 1;
  effects.push(effect);
  seconds.push(slow.seconds);
  print(
    `${run}/${runs}: ${kind} with age ${percent(effect)} (usual slices: ${slow.verdict} ${percent(slow.effect)}), line ${line ?? "none"}, ${slow.seconds.toFixed(0)} s`,
  );
  if (line === undefined) print(JSON.stringify(slow.measurement.diagnosis?.head?.findings ?? []));
}
printFigures({
  runs,
  foundBySoak: found.periodic,
  foundWithLine: found.line,
  equalRuns,
  equalCodeCalled: found.equal,
  medianEffectPercent: rounded(100 * median(effects)),
  medianSeconds: rounded(median(seconds)),
});

function agingIn({ measurement: { aged } }: PairRun): { readonly effect: number; readonly kind: string } {
  const design = { kind: "comparison", minChange: 0.03, falseAlarmRate: 0.01, cells: 1 } as const;
  const aging = aged && agingOf(aged, { ...design, looks: [...looks], maxMinutes: minutes }, 1);
  return { effect: aging?.effect.value ?? Number.NaN, kind: aging?.kind ?? "no pair of servers got old" };
}

/** Where a finding points to the call that blocks. */
function lineIn({ measurement }: PairRun): string | undefined {
  const found = measurement.diagnosis?.head?.findings?.find(
    ({ place }) => place?.file === "main.py" && place.code?.trim() === blocking.trim(),
  );
  return found && `${found.place?.file}:${found.place?.line}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
