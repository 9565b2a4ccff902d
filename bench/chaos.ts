// Runs `run` many times, each with a fault at a random moment. Each run then reports and comments, and nothing may be
// left over or lost. The faults take turns, so that each has its share of the runs.
//   npm run bench -- chaos [--runs 100] [--seed 1] [--from 1] [--only WORDS] [--log FILE]
// `--only`: the faults whose name holds these words.
// With a log the benchmark can run in pieces: runs in the log count, too.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { chaosRun } from "../test/chaos/chaos.ts";
import { faults } from "../test/chaos/faults.ts";
import { randomOf } from "../test/chaos/random.ts";
import { type ChaosRow, chaosTable } from "./chaos/table.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    log: { type: "string" },
  },
});
const from = Number(values.from);
const root = process.cwd();
const chosen = faults.filter(({ name }) => name.includes(values.only));
const rows: ChaosRow[] =
  values.log !== undefined && existsSync(values.log)
    ? readFileSync(values.log, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

for (let run = from; run < from + Number(values.runs); run++) {
  const random = randomOf(Number(values.seed) * 1_000_003 + run);
  const fault = chosen[(run - 1) % chosen.length];
  if (fault === undefined) throw new Error(`no fault is called ${values.only}`);
  const { output, ...row } = await chaosRun({ root, random, fault });
  rows.push(row);
  if (values.log !== undefined) appendFileSync(values.log, `${JSON.stringify(row)}\n`);
  const verdict = row.broken.length === 0 ? "held" : `BROKEN: ${row.broken.join("; ")}`;
  const when = row.hasStruck ? `after ${row.atMs} ms` : "too late";
  process.stdout.write(
    `${String(run).padStart(4)}  ${row.fault}, ${when}: status ${row.status}, ${verdict}\n`,
  );
  if (row.broken.length > 0) process.stdout.write(`${output.slice(-3_000)}\n`);
}
process.stdout.write(`\n${chaosTable(rows)}\n`);
process.exitCode = rows.every(({ broken }) => broken.length === 0) ? 0 : 1;
