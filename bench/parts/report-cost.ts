import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { histogramOf, type Measurement, makeCell } from "../../src/engine.ts";
import { median, print, type Timed, timed } from "./timing.ts";

const endpoints = 64;
const workerCounts = [1, 2, 4, 8];

/** Time and memory of `report` on 256 cells of a minute each. */
export async function reportCost(cli: string): Promise<Timed> {
  const folder = await mkdtemp(join(tmpdir(), "bench-report-"));
  try {
    await mkdir(join(folder, "cells"));
    const cells = Array.from({ length: endpoints }, (_, index) =>
      workerCounts.map((workers) => measurement(index, workers)),
    ).flat();
    for (const each of cells) {
      await writeFile(join(folder, "cells", `${each.cell.id}.json`), JSON.stringify(each));
    }
    await writeFile(
      join(folder, "plan.json"),
      JSON.stringify({ schemaVersion: 1, cells: cells.map(({ cell }) => cell) }),
    );
    const all: Timed[] = [];
    for (let round = 0; round < 3; round += 1) {
      all.push(
        await timed(["node", cli, "report", "--results-directory", folder, "--comment-mode", "never"]),
      );
    }
    const { seconds, peakMemoryBytes } = {
      seconds: median(all.map((each) => each.seconds)),
      peakMemoryBytes: median(all.map((each) => each.peakMemoryBytes)),
    };
    print(
      `report on ${cells.length} cells: ${seconds.toFixed(2)} s, ${(peakMemoryBytes / 1e6).toFixed(0)} MB`,
    );
    return { seconds, peakMemoryBytes, cpuSeconds: median(all.map((each) => each.cpuSeconds)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function measurement(index: number, workers: number): Measurement {
  const load = { kind: "constant", virtualUsers: 8, durationSeconds: 60 } as const;
  const endpoint = { method: "GET", path: `/items/${index}/details?page=2` } as const;
  const server = "uvicorn {app} --host {host} --port {port} --workers {workers}";
  const requests = 900;
  return {
    schemaVersion: 1,
    cell: makeCell({ endpoint, workers, server, load }),
    status: "measured",
    startedAt: "2026-01-01T00:00:00.000Z",
    commits: { head: "0123456789abcdef0123456789abcdef01234567" },
    environment: {
      cpuModel: "CPU",
      cores: 4,
      memoryBytes: 16e9,
      kernel: "6.8",
      platform: "linux x64",
      runner: "local",
      node: "20",
      k6: "2.2.0",
      postgres: "18.4",
      statementStatistics: true,
      python: "3.11",
      eventLoop: "uvloop",
      httpParser: "httptools",
      packages: Object.fromEntries(Array.from({ length: 60 }, (_, each) => [`package-${each}`, "1.2.3"])),
    },
    replicates: [
      {
        generator: {
          requests: requests * 60,
          failures: 0,
          iterations: requests * 60,
          droppedIterations: 0,
          durationSeconds: 60,
        },
        arms: {
          head: {
            blocks: Array.from({ length: 60 }, (_, second) => ({
              startSeconds: second,
              seconds: 1,
              requests,
              failures: 0,
              latencyTotalMs: requests * 8,
              latencyMaxMs: 40,
            })),
            statuses: { "200": requests * 60 },
            latency: histogramOf(Array.from({ length: requests * 60 }, (_, each) => 150 + (each % 300))),
            responseBytes: 420,
            cpuSeconds: 55,
            peakMemoryBytes: 1e8 * workers,
            sqlStatements: requests * 180,
          },
        },
      },
    ],
  };
}
