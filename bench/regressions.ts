// Checks that a change's guilty function is named, and nobody else: pull requests of our own, through the whole program.
//
// `npm run bench -- regressions` runs all; kinds (`slower`, `faster`, `same`) and starts of names select. `--verbose`
// prints the findings. `--phase` measures each pair for a minute and compares its functions whatever the verdict.

import { type FoundCause, logRatios, relativeChange, requestsServed } from "../src/engine.ts";
import { print, printFigures } from "./parts/timing.ts";
import { type Pair, pairs } from "./regressions/pairs.ts";
import { comparePair } from "./regressions/phase.ts";
import { type PairRun, runPair } from "./regressions/run.ts";

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isWanted = ({ name, kind }: Pair) =>
  names.length === 0 || names.some((start) => kind === start || name.startsWith(start));

interface Result {
  readonly name: string;
  readonly kind: Pair["kind"];
  readonly verdict: string;
  readonly effect: number;
  /** Name in the first sentence of a finding about a function; empty without one. Its line's function counts, too. */
  readonly named: string;
  readonly isHit: boolean;
  /** Extra CPU time of the named function against that of the whole request, as measured without any probe. */
  readonly ratio: number | null;
  readonly seconds: number;
}

const results: Result[] = [];
for (const pair of pairs.filter(isWanted)) {
  const run = flags.includes("--phase") ? await comparePair(pair) : runPair(pair);
  const result = resultOf(pair, run);
  const { verdict, effect, named, ratio, isHit, seconds } = result;
  print(
    `${pair.kind} ${pair.name}: ${verdict} ${(effect * 100).toFixed(1)}%, named ${named || "nobody"}${ratio === null ? "" : ` (${ratio.toFixed(2)} of the truth)`}, ${isHit ? "hit" : "MISS"}, ${seconds.toFixed(0)} s`,
  );
  if (flags.includes("--verbose") || !isHit)
    print(
      JSON.stringify(
        run.measurement.diagnosis?.head,
        ["findings", "summary", "unseen", "path", "isInDiff"],
        1,
      ),
    );
  results.push(result);
}

const isBetween = ({ kind, effect }: Result, from: number, to: number) =>
  kind !== "same" && Math.abs(effect) >= from && Math.abs(effect) < to;
const large = results.filter((each) => isBetween(each, 0.08, Number.POSITIVE_INFINITY));
const small = results.filter((each) => isBetween(each, 0.03, 0.08));
const same = results.filter(({ kind }) => kind === "same");
const hits = (all: readonly Result[]) => all.filter(({ isHit }) => isHit).length;
printFigures({
  pairs: results.length,
  largeChanges: large.length,
  largeNamed: hits(large),
  smallChanges: small.length,
  smallNamed: hits(small),
  nothingDearer: same.length,
  nobodyBlamed: hits(same),
  withinQuarter: results.filter(({ ratio }) => ratio !== null && Math.abs(ratio - 1) <= 0.25).length,
  longestSeconds: Math.max(0, ...results.map(({ seconds }) => seconds)),
});

function resultOf(pair: Pair, { verdict, effect, measurement, seconds }: PairRun): Result {
  const found = (measurement.diagnosis?.head?.findings ?? []).filter(isOfFunction);
  const [first] = found;
  const named = first === undefined ? "" : nameIn(first);
  const truth = extraMs(measurement);
  const extra = first?.figures[0]?.value;
  return {
    ...{ name: pair.name, kind: pair.kind, verdict, effect, named, seconds },
    isHit:
      pair.kind === "same"
        ? found.length === 0
        : pair.guilty.some((each) => each === named || each === first?.place?.function),
    ratio: extra === undefined || truth === undefined ? null : extra / Math.abs(truth),
  };
}

function isOfFunction({ cause }: FoundCause): boolean {
  return cause === "more CPU in a function" || cause === "less CPU in a function";
}

/** `` quote `` of `` `quote()` ``, or the words for what has no name. */
function nameIn({ subject = "" }: FoundCause): string {
  return /^`([^`]*)\(\)`/.exec(subject)?.[1] ?? subject;
}

/** CPU time per request, head minus base, in milliseconds; nothing else of the pair costs. */
function extraMs({ replicates }: PairRun["measurement"]): number | undefined {
  const [first] = replicates;
  const base = first?.arms.base;
  const change = relativeChange(
    logRatios(replicates, ({ arms }, arm) => {
      const record = arms[arm];
      return record?.cpuSeconds && record.cpuSeconds / requestsServed(record);
    }),
  );
  if (base?.cpuSeconds === undefined || change === undefined) return undefined;
  return ((1_000 * base.cpuSeconds) / requestsServed(base)) * change.value;
}
