// False alarms and power of the soak test, by quick simulation: pairs of equal servers under six kinds of noise, and heads
// that stall for a part of their time, through the program's own judgement. One pair for 55 s stands beside three for 20 s.
// `--reports N` (4,000) says how many of each. `bench -- stalls` simulates each request instead, and takes minutes.

import { agingOf, type Design, looks } from "../src/engine.ts";
import { agedPairOf, type Noise, noises, type Stalling } from "./parts/noise.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";

const at = process.argv.indexOf("--reports");
const reports = at < 0 ? 4_000 : Number(process.argv[at + 1]);
const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [...looks],
  cells: 1,
  maxMinutes: 15,
};
const stallings: readonly Stalling[] = [
  { share: 0.05, seconds: 0.1 },
  { share: 0.05, seconds: 0.5 },
  { share: 0.05, seconds: 1 },
  { share: 0.1, seconds: 0.5 },
  { share: 0.1, seconds: 1 },
  { share: 0.1, seconds: 1, isRegular: true },
  { share: 0.05, seconds: 1, isRegular: true },
];

const figures: Record<string, number> = { reports };
for (const [pairs, seconds] of [
  [1, 55],
  [3, 20],
] as const) {
  const name = `${pairs} x ${seconds} s`;
  for (const noise of noises) {
    const { called, perhaps } = outcomes(pairs, seconds, noise);
    print(`${name}, equal code, ${noise}: called ${percent(called)}, perhaps slower ${percent(perhaps)}`);
    figures[`${noise}CalledPercent${pairs}`] = rounded(100 * called);
  }
  for (const stalling of stallings) {
    const { called, perhaps } = outcomes(pairs, seconds, "normal", stalling);
    const { share, seconds: length, isRegular } = stalling;
    print(
      `${name}, ${100 * share}% in ${isRegular ? "regular " : ""}stalls of ${length} s: slower ${percent(called)}, perhaps slower ${percent(perhaps)}, missed ${percent(1 - called - perhaps)}`,
    );
    if (share === 0.05 && length === 1 && !isRegular)
      figures[`missedPercent${pairs}`] = rounded(100 * (1 - called - perhaps));
  }
}
printFigures(figures);

function outcomes(pairs: number, seconds: number, noise: Noise, stalling?: Stalling) {
  let [called, perhaps] = [0, 0];
  for (let report = 0; report < reports; report += 1) {
    const pair = agedPairOf({ pairs, seconds, noise, stalling }, design);
    const kind = agingOf(pair, design, 1)?.kind;
    if (kind === "slower" || kind === "faster") called += 1;
    if (kind === "perhaps slower") perhaps += 1;
  }
  return { called: called / reports, perhaps: perhaps / reports };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
