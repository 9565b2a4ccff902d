import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

import { hasProcfs, listProcesses } from "../../../src/adapters/process/index.ts";
import {
  findListeners,
  type Listener,
  listeningInodes,
  parseSocketTable,
} from "../../../src/adapters/server/listening-sockets.ts";
import { sortWorkers } from "../../../src/adapters/server/server-processes.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0
   3: 0A00000A:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 14 1 0 100 0 0 10 0
   4: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 15 1
   5: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 16 1
   6: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 17 1
   7: 000080FE00000000FF005450B8A4D3FE:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 18 1
   8: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 19 1 0 100 0 0 10 0
`;

test("finds the sockets that answer on loopback", () => {
  expect(parseSocketTable(table, 8080)).toEqual(["11", "13", "15", "16", "17"]);
  expect(parseSocketTable(table, 80)).toEqual(["19"]);
});

function listener(pid: number, parent: number, isWaiting: boolean): Listener {
  const numbers = { group: 1, session: 1, ownSeconds: 0, endedChildrenSeconds: 0, start: pid };
  return { process: { pid, parent, name: "python3", isZombie: false, ...numbers }, isWaiting };
}

test.for<[name: string, listeners: Listener[], workers: number[], starting: number[]]>([
  ["one process", [listener(1, 0, true)], [1], []],
  ["a supervisor, all up", [listener(1, 0, false), listener(2, 1, true), listener(3, 1, true)], [2, 3], []],
  ["one still starting", [listener(1, 0, false), listener(2, 1, true), listener(3, 1, false)], [2], [3]],
  ["what a worker forked", [listener(1, 0, true), listener(2, 1, true), listener(3, 1, false)], [1], []],
  ["no epoll", [listener(1, 0, false), listener(2, 1, false), listener(3, 1, false)], [2, 3], []],
  ["no epoll, one process", [listener(1, 0, false)], [1], []],
])("tells workers: %s", ([, listeners, workers, starting]) => {
  const sorted = sortWorkers(listeners);
  expect(sorted.workers.map(({ pid }) => pid)).toEqual(workers);
  expect(sorted.starting.map(({ pid }) => pid)).toEqual(starting);
});

test.runIf(hasProcfs)("finds who listens, and that it waits", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  await sleep(10); // libuv tells epoll when it next has nothing to do
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const found = findListeners(listeningInodes(port), listProcesses());
  expect(found).toEqual([{ process: expect.objectContaining({ pid: process.pid }), isWaiting: true }]);
  server.close();
});
