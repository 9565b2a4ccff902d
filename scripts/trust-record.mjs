// What a weekly self-test shows, as one line of JSON: how many cells were judged, and how many wrongly. FIGURES: the
// action's output. EXPECTED: verdicts by endpoint, or `{}` for equal code. STARTED: seconds since 1970.
import { appendFileSync } from "node:fs";

/** Counts of one run; `wrong` is every verdict that says something else than is true, small ones too. */
export function trustRecord({ cells }, expected, seconds) {
  const judged = cells.map(({ endpoint, verdict }) => ({
    verdict,
    wanted: expected[endpoint] ?? "unchanged",
  }));
  const times = (holds) => judged.filter(holds).length;
  const isCall = (verdict) => verdict === "slower" || verdict === "faster";
  return {
    cells: judged.length,
    equal: times(({ wanted }) => wanted === "unchanged"),
    falseAlarms: times(({ verdict, wanted }) => wanted === "unchanged" && isCall(verdict)),
    changed: times(({ wanted }) => isCall(wanted)),
    found: times(({ verdict, wanted }) => isCall(wanted) && verdict === wanted),
    wrong: times(
      ({ verdict, wanted }) =>
        isCall(wanted) && (isCall(verdict) || verdict === "unchanged") && verdict !== wanted,
    ),
    minutes: Math.round(seconds / 6) / 10,
  };
}

if (process.argv[1]?.endsWith("trust-record.mjs")) {
  const { FIGURES, EXPECTED = "{}", STARTED, GITHUB_OUTPUT = "/dev/stdout" } = process.env;
  const seconds = Date.now() / 1_000 - Number(STARTED);
  const record = trustRecord(JSON.parse(FIGURES), JSON.parse(EXPECTED), seconds);
  appendFileSync(GITHUB_OUTPUT, `record=${JSON.stringify(record)}\n`);
}
