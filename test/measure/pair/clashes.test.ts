import { expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import type { Holdings } from "../../../src/model/measurement/shared-things.ts";
import type { AppServer, ServerCommand } from "../../../src/ports/app.ts";
import { comparingPorts } from "../fake-ports.ts";
import { compare, run } from "../run-measure.ts";

const held: Holdings = { ports: [9_105], paths: [] };

/** Apps of which those that start while another one runs end, and the starts that there were. */
function comparing(
  fails: (command: ServerCommand, running: number) => string | undefined,
  kind: "exit" | "slow start" = "exit",
  stopped: Promise<void> = Promise.resolve(),
) {
  const { ports } = comparingPorts();
  const starts: string[] = [];
  let running = 0;
  return {
    starts,
    ports: {
      ...ports,
      startApp: async (...[command, python, name]: Parameters<typeof ports.startApp>): Promise<AppServer> => {
        starts.push([command.folder, command.trial].filter((each) => each).join(" "));
        const reason = fails(command, running);
        if (reason !== undefined)
          throw new EnvironmentError("start app", reason, { logTail: "Traceback", detail: { kind } });
        running += 1;
        const server = await ports.startApp(command, python, name);
        return {
          ...server,
          holdings: () => held,
          [Symbol.asyncDispose]: async () => {
            await stopped;
            running -= 1;
            await server[Symbol.asyncDispose]();
          },
        };
      },
    },
  };
}

const inUse = "OSError: [Errno 98] Address already in use";

test("two arms that want one port are said to, in each cell, and the head is measured alone", async () => {
  const { ports, starts } = comparing((_, running) => (running > 0 ? inUse : undefined));
  const measured = await compare(ports, { endpoints: "/a\n/b", "working-directory": "/head" });
  for (const each of measured) {
    expect(each.status).toBe("measured");
    expect(each.loneArm?.reason).toMatch(
      /^both versions listen on port 9105, which only one of them can have: OSError/,
    );
    expect(each.replicates.map(({ arms }) => Object.keys(arms))).toEqual([["head"]]);
  }
  expect(starts.filter((each) => each.endsWith("alone"))).toHaveLength(1);
  expect(starts.filter((each) => each.endsWith("next to it"))).toHaveLength(1);
});

test.for<[what: string, fails: Parameters<typeof comparing>[0], kind: "exit" | "slow start", trials: number]>(
  [
    ["that never starts", ({ folder }) => (folder === "/base" ? "it broke" : undefined), "exit", 1],
    [
      "that is slow next to another one",
      (_, running) => (running > 0 ? "it is slow" : undefined),
      "slow start",
      0,
    ],
    [
      "that failed once",
      (() => {
        let starts = 0;
        return ({ folder }) => (folder === "/base" && ++starts === 1 ? "it broke" : undefined);
      })(),
      "exit",
      2,
    ],
  ],
)("an arm %s has failed by itself", async ([, fails, kind, trials]) => {
  const { ports, starts } = comparing(fails, kind);
  const measured = await compare(ports, { endpoints: "/a\n/b", "working-directory": "/head" });
  for (const { loneArm, failure } of measured)
    expect(`${loneArm?.reason}${failure?.reason}`).not.toMatch(/both versions|each version/);
  expect(starts.filter((each) => / /.test(each)).length).toBeGreaterThanOrEqual(trials);
});

test("servers of an earlier cell that still stop are waited for, and no version is called broken", async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const fails = (_: ServerCommand, running: number) => {
    if (running > 0) stop();
    return running > 0 ? inUse : undefined;
  };
  const { ports, starts } = comparing(fails, "exit", stopped);
  const measured = await run(ports, { endpoints: "/a\n/b", workers: "1", "working-directory": "/head" });
  for (const { status, failure } of measured)
    expect([status, failure?.reason]).toEqual(["measured", undefined]);
  expect(starts.filter((each) => each.endsWith("alone"))).toHaveLength(1);
});

test("two arms that both end are started in turn: what they want is said, or they are measured", async () => {
  let starts = 0;
  const both = comparing((_, running) => (++starts <= 2 || running > 0 ? inUse : undefined));
  const options = { endpoints: "/a", "working-directory": "/head" };
  const [clashing] = await compare(both.ports, options);
  expect(clashing?.loneArm?.reason).toMatch(/^both versions listen on port 9105/);
  let later = 0;
  const busy = comparing(() => (++later <= 2 ? inUse : undefined));
  const [measured] = await compare(busy.ports, options);
  expect([measured?.status, measured?.loneArm]).toEqual(["measured", undefined]);
  expect(Object.keys(measured?.replicates[0]?.arms ?? {}).toSorted()).toEqual(["base", "head"]);
});
