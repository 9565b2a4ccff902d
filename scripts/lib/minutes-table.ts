import { expectedSeconds } from "../../src/compare/expected-time.ts";
import { type Design, looks } from "../../src/model/plan/plan.ts";

/** The worker counts of the README's workflow, and the usual time. */
const usual = { maxMinutes: 15, workerCounts: 3 };

/** Endpoints of the README's table. */
const endpointCounts = [1, 4, 12] as const;

/** Minutes until a job measures: checkout, tools, the app's environment, Postgres, seeding. An assumption, not a measurement. */
const setUpMinutes = 2;

/** Jobs of the reusable workflow that do not measure: announce, plan, report. Each is billed as a minute. */
const otherJobs = 3;

/** Billed minutes of a push by the planner: on a quiet machine, where nothing changed, with the usual inputs. */
export function minutesTable(): string {
  return [
    "| endpoints, at 1, 2 and 4 workers | cells | one job | a job for each cell |",
    "| ---: | ---: | ---: | ---: |",
    ...endpointCounts.map((endpoints) => {
      const cells = endpoints * usual.workerCounts;
      const [together, apart] = [cells, 1].map(
        (each) => Math.ceil(expectedSeconds(designOf(cells), each) / 60) + setUpMinutes,
      ) as [number, number];
      return `| ${endpoints} | ${cells} | ${together} | ${cells} × ${apart} + ${otherJobs} = ${cells * apart + otherJobs} |`;
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
