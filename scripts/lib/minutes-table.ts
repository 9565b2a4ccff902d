import { expectedSeconds } from "../../src/compare/expected-time.ts";
import { type Design, looks } from "../../src/model/plan/plan.ts";

/** What nobody has to set. */
const usual = { maxMinutes: 15, workerCounts: 2 };

/** Endpoints of the README's table, at the usual worker counts. */
const endpointCounts = [1, 4, 12] as const;

/** What a pull request costs by the planner: on a quiet machine, where nothing changed, with the usual inputs. */
export function minutesTable(): string {
  return [
    "| endpoints, at 1 and 2 workers | on one machine | with a machine for each cell |",
    "| ---: | ---: | ---: |",
    ...endpointCounts.map((endpoints) => {
      const cells = endpoints * usual.workerCounts;
      const together = minutes(expectedSeconds(designOf(cells), cells));
      const apart = minutes(expectedSeconds(designOf(cells), 1));
      return `| ${endpoints} | ${together} minutes | ${cells} × ${apart} minutes |`;
    }),
  ].join("\n");
}

function designOf(cells: number): Design {
  return {
    kind: "comparison",
    minChange: 0.03,
    falseAlarmRate: 0.01,
    maxSlowdown: 0.05,
    soakSeconds: 60,
    looks: [...looks],
    maxMinutes: usual.maxMinutes,
    cells,
  };
}

function minutes(seconds: number): number {
  return Math.ceil(seconds / 60);
}
