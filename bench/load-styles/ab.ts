import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Style } from "./rounds.ts";
import { runTool, toolIn } from "./tool.ts";

const requests = 1_000;
const users = 100;

/** `ab -n 1000 -c 100`, without `-k`: a connection for each request, the first request alone. */
export function abStyle(folder: string): Style {
  const ab = toolIn((process.env["PATH"] ?? "").split(":"), "ab");
  const percentiles = join(folder, "ab.csv");
  return {
    tool: "ab",
    answerMs: 500,
    load: { kind: "requests", virtualUsers: users, requests, firstRequestAlone: true, connections: "new" },
    missing:
      ab === undefined
        ? "ab is not installed, so nothing is compared with it. Debian and Ubuntu have it in apache2-utils: apt-get install apache2-utils"
        : undefined,
    run: async (baseUrl) => {
      const argv = [
        ab ?? "ab",
        "-q",
        "-n",
        `${requests}`,
        "-c",
        `${users}`,
        "-e",
        percentiles,
        `${baseUrl}/`,
      ];
      const text = await runTool(argv);
      if (!/^Failed requests:\s+0$/m.test(text)) throw new Error(`requests of ab failed:\n${text}`);
      return {
        requestsPerSecond: numberIn(text, /^Requests per second:\s+([\d.]+) /m),
        medianMs: numberIn(readFileSync(percentiles, "utf8"), /^50,([\d.]+)$/m),
      };
    },
  };
}

function numberIn(text: string, pattern: RegExp): number {
  const found = Number(pattern.exec(text)?.[1]);
  if (!Number.isFinite(found)) throw new Error(`ab printed no ${pattern}:\n${text.slice(0, 2_000)}`);
  return found;
}
