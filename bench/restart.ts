// How much longer a run takes to its first load when the run before it was killed: pairs of runs in random order, one
// after a run that ended by itself, one after a run that was killed under load.
//   npm run bench -- restart [--pairs 10]
import { mkdtempSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { median } from "../src/engine.ts";
import { type Place, startRun } from "../test/chaos/program.ts";

const { values } = parseArgs({ options: { pairs: { type: "string", default: "10" } } });
const startWithinMs = 120_000;

/** Starts a run and waits until it loads its first cell. */
async function startedRun(place: Place) {
  const began = performance.now();
  const run = startRun(place);
  let hasEnded = false;
  void run.ended.then(() => (hasEnded = true));
  while (!run.output().includes("under load")) {
    if (hasEnded || performance.now() - began > startWithinMs) throw new Error(run.output().slice(-2_000));
    await sleep(10);
  }
  return { run, seconds: (performance.now() - began) / 1_000 };
}

/** Seconds to the first load of a run that follows one which was killed, or which ended by itself. */
async function startAfter(isKilled: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "restart-"));
  await chmod(folder, 0o711);
  try {
    const place = { root: process.cwd(), folder, port: await freePort() };
    const { run: first } = await startedRun(place);
    if (isKilled) {
      await sleep(300);
      first.child.kill("SIGKILL");
    }
    await first.ended;
    const { run, seconds } = await startedRun(place);
    await run.ended;
    return seconds;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

const rows: { readonly ended: number; readonly killed: number }[] = [];
await startAfter(false); // fills caches
for (let pair = 0; pair < Number(values.pairs); pair++) {
  const isKilledFirst = Math.random() < 0.5;
  const first = await startAfter(isKilledFirst);
  const second = await startAfter(!isKilledFirst);
  const row = isKilledFirst ? { killed: first, ended: second } : { ended: first, killed: second };
  rows.push(row);
  process.stdout.write(
    `after one that ended ${row.ended.toFixed(2)} s, that was killed ${row.killed.toFixed(2)} s\n`,
  );
}
const extra = rows.map(({ ended, killed }) => killed - ended).toSorted((a, b) => a - b);
const rounded = (value: number) => Number(value.toFixed(2));
process.stdout.write(
  `${JSON.stringify({
    pairs: rows.length,
    medianStartSeconds: rounded(median(rows.map(({ ended }) => ended))),
    medianExtraSeconds: rounded(median(extra)),
    lowestExtraSeconds: rounded(extra[0] ?? Number.NaN),
    highestExtraSeconds: rounded(extra.at(-1) ?? Number.NaN),
  })}\n`,
);
