// Several generators of one load: whether their records add up to what the servers counted, what a merge costs, and how
// often a simulated comparison of equal arms is wrong with clocks apart, and with lost or late generators.
// Usage: npm run bench -- scale [--only merging|simulated|live|verdict|exported]
import { print, printFigures } from "./parts/timing.ts";
import { exportedSlowDown } from "./scale/exported.ts";
import { countedLoads } from "./scale/live.ts";
import { mergingCost } from "./scale/merging.ts";
import { simulatedCells } from "./scale/simulated.ts";
import { knownSlowDown } from "./scale/verdict.ts";

const parts = {
  merging: mergingCost,
  simulated: simulatedCells,
  live: countedLoads,
  verdict: knownSlowDown,
  exported: exportedSlowDown,
};

const only = process.argv[process.argv.indexOf("--only") + 1];
const figures: Record<string, number | string> = {};
for (const [name, part] of Object.entries(parts)) {
  if (process.argv.includes("--only") && name !== only) continue;
  print(`\n${name}`);
  Object.assign(figures, await part());
}
printFigures(figures);
