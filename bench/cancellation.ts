// Cancels a run in each of its phases, by SIGINT and by SIGTERM, then looks at the time it took and at everything left.
//   npm run bench -- cancellation [--only WORDS] [--log FILE]
// With a log the benchmark can run in pieces: trials in the log are not run again.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { type Cancellation, cancelAt, stages } from "../test/chaos/cancellation.ts";

type Row = Omit<Cancellation, "output">;

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, log: { type: "string" } },
});
const rows: Row[] =
  values.log !== undefined && existsSync(values.log)
    ? readFileSync(values.log, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

for (const stage of stages.filter(({ name }) => name.includes(values.only))) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (rows.some((row) => row.stage === stage.name && row.signal === signal)) continue; // already in the log
    const { output, ...row } = await cancelAt(stage, signal, process.cwd());
    rows.push(row);
    if (values.log !== undefined) appendFileSync(values.log, `${JSON.stringify(row)}\n`);
    if (row.broken.length > 0) process.stdout.write(`${stage.name}, ${signal}: ${output.slice(-2_000)}\n`);
  }
}
process.stdout.write("| cancelled while | SIGINT | SIGTERM | left behind |\n|---|---|---|---|\n");
for (const { name } of stages) {
  const of = (signal: string) => rows.filter((row) => row.stage === name && row.signal === signal);
  const time = (signal: string) =>
    of(signal)
      .map(({ seconds }) => `${seconds.toFixed(1)} s`)
      .join(", ");
  const broken = [...of("SIGINT"), ...of("SIGTERM")].flatMap((row) => row.broken);
  if (of("SIGINT").length > 0)
    process.stdout.write(
      `| ${name} | ${time("SIGINT")} | ${time("SIGTERM")} | ${broken.join("; ") || "nothing"} |\n`,
    );
}
process.exitCode = rows.some(({ broken }) => broken.length > 0) ? 1 : 0;
