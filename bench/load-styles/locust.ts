import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

import { sum } from "../../src/engine.ts";
import type { Style } from "./rounds.ts";
import { runTool, toolIn } from "./tool.ts";

const users = 100;
const usersPerSecond = 50;
const seconds = 12;
/** The shortest stage: Locust 2 starts all users of a second at once. */
const burstSeconds = 0.1;

const locustfile = `from locust import HttpUser, constant, task


class User(HttpUser):
    wait_time = constant(0)

    @task
    def get(self) -> None:
        self.client.get("/")
`;

/** The few fields of `--json` that are read. */
const statsSchema = z.tuple([
  z.object({
    num_requests: z.int().positive(),
    num_failures: z.literal(0),
    /** Seconds since 1970, for the start of the load and for the last reply. */
    start_time: z.number().positive(),
    last_request_timestamp: z.number().positive(),
    /** Count of replies by rounded milliseconds. */
    response_times: z.record(z.string(), z.int().positive()),
  }),
]);

/** 100 users, 50 more each second, for 12 s. */
export function locustStyle(folder: string, toolsFolder: string): Style {
  const locust = toolIn([join(toolsFolder, "locust", "bin")], "locust");
  const path = join(folder, "locustfile.py");
  writeFileSync(path, locustfile);
  const stages = [
    { durationSeconds: burstSeconds, virtualUsers: usersPerSecond },
    { durationSeconds: 1 - burstSeconds, virtualUsers: usersPerSecond },
    { durationSeconds: burstSeconds, virtualUsers: users },
    { durationSeconds: seconds - 1 - burstSeconds, virtualUsers: users },
  ];
  return {
    tool: "locust",
    answerMs: 500,
    load: { kind: "stages", stages },
    missing:
      locust === undefined
        ? "Locust is not installed, so nothing is compared with it: node scripts/setup.mjs --for bench"
        : undefined,
    run: async (baseUrl) => {
      const shape = ["-u", `${users}`, "-r", `${usersPerSecond}`, "-t", `${seconds}s`];
      const argv = [locust ?? "locust", "-f", path, "--headless", "--json", ...shape, "--host", baseUrl];
      const [stats] = statsSchema.parse(JSON.parse(await runTool(argv)));
      return {
        // Locust prints this rate. Its run time begins before its users do, so `seconds` would be too many.
        requestsPerSecond: stats.num_requests / (stats.last_request_timestamp - stats.start_time),
        medianMs: medianOf(stats.response_times),
      };
    },
  };
}

/** Median of values with their counts. */
function medianOf(times: Readonly<Record<string, number>>): number {
  const sorted = Object.entries(times)
    .map(([ms, count]) => ({ ms: Number(ms), count }))
    .toSorted((a, b) => a.ms - b.ms);
  let left = sum(sorted.map(({ count }) => count)) / 2;
  for (const { ms, count } of sorted) {
    left -= count;
    if (left <= 0) return ms;
  }
  return Number.NaN;
}
