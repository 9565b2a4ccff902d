import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { growth, type Load, memoryOfLoad } from "../../src/engine.ts";
import { median, print, rounded, timed } from "./timing.ts";

const rounds = 7;
const seconds = 4;

/**
 * CPU per request of k6 with our script against the plainest script that makes the same load: a ratio, 1 = equal.
 * Rounds alternate, so that a slow spell of the machine hits both.
 */
export async function generatorCost(
  k6: string,
  scriptPath: string,
): Promise<{ closed: number; open: number }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-k6-"));
  const server = createServer((_, response) => response.end('{"ok":true}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}`;
  try {
    const shapes = {
      closed: { kind: "constant", virtualUsers: 8, durationSeconds: seconds },
      open: { kind: "rate", requestsPerSecond: 800, virtualUsers: 8, durationSeconds: seconds },
    } as const;
    const ratios = { closed: 0, open: 0 };
    for (const name of ["closed", "open"] as const) {
      const pairs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const plain = await plainCost(k6, url, shapes[name], folder);
        const ours = await ourCost(k6, scriptPath, url, shapes[name], folder);
        pairs.push(ours / plain);
        print(
          `${name}: plain ${(plain * 1e6).toFixed(0)} us/request, ours ${(ours * 1e6).toFixed(0)} us/request`,
        );
      }
      ratios[name] = rounded(median(pairs));
    }
    return ratios;
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function plainCost(k6: string, url: string, load: Load, folder: string): Promise<number> {
  const path = join(folder, "plain.js");
  const options =
    load.kind === "rate"
      ? `{ scenarios: { load: { executor: "constant-arrival-rate", rate: ${load.requestsPerSecond}, duration: "${seconds}s", preAllocatedVUs: 8, maxVUs: 8 } } }`
      : `{ vus: 8, duration: "${seconds}s" }`;
  await writeFile(
    path,
    `import http from "k6/http";
export const options = ${options};
export default function () { http.get("${url}/"); }
export function handleSummary(data) { return { "${folder}/plain.json": JSON.stringify(data) }; }
`,
  );
  return cost([k6, "run", "--quiet", "--no-usage-report", path], join(folder, "plain.json"));
}

async function ourCost(
  k6: string,
  scriptPath: string,
  url: string,
  load: Load,
  folder: string,
): Promise<number> {
  const summaryPath = join(folder, "ours.json");
  const script = {
    targets: [{ arm: "head", baseUrl: url }],
    endpoint: { method: "GET", path: "/" },
    load,
    sliceMs: 250,
    growth,
    seed: 1,
    summaryPath,
  };
  const scriptInput = join(folder, "ours.input.json");
  await writeFile(scriptInput, JSON.stringify(script));
  const argv = [k6, "run", "--quiet", "--no-usage-report", "-e", `LOADTEST=${scriptInput}`];
  const log = [`--log-output=file=${join(folder, "ours.log")}`, "--log-format=raw"];
  return cost([...argv, ...log, scriptPath], summaryPath, memoryOfLoad(load).variables);
}

async function cost(
  argv: readonly string[],
  summaryPath: string,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { cpuSeconds } = await timed(argv, { env });
  const summary: { metrics: { http_reqs: { values: { count: number } } } } = JSON.parse(
    await readFile(summaryPath, "utf8"),
  );
  return cpuSeconds / summary.metrics.http_reqs.values.count;
}
