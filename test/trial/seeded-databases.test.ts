import { describe, expect, test } from "vitest";
import type { Workload } from "../../src/model/workload/workload.ts";
import { keepSeeded, openDatabase } from "../../src/trial/seeded-databases.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { trialPorts } from "./fake-trial.ts";

const shop = workloadOf({ "migrate-command": "alembic upgrade head" });
const python = { binFolder: "/bin", interpreter: "/bin/python", version: "3.11", packages: {} };

/** Opens databases one after the other, and returns what was done. */
async function opened(
  workloads: readonly Workload[],
  { isKept = true, copies = () => true }: { isKept?: boolean; copies?: (time: number) => boolean } = {},
) {
  const events: string[] = [];
  const ports = trialPorts(shop, {});
  let [servers, times] = [0, 0];
  const openDatabases: typeof ports.openDatabases = async (...given) => {
    const server = await ports.openDatabases(...given);
    servers += 1;
    const name = servers;
    events.push(`start ${name}`);
    return {
      ...server,
      seed: async (...seeding) => {
        const template = await server.seed(...seeding);
        return {
          copy: async () => {
            times += 1;
            if (!copies(times)) throw new Error("the disk is full");
            events.push(`copy of ${name}`);
            return {
              ...(await template.copy()),
              [Symbol.asyncDispose]: async () => void events.push(`drop copy of ${name}`),
            };
          },
        };
      },
      [Symbol.asyncDispose]: async () => void events.push(`end ${name}`),
    };
  };
  const kept = keepSeeded();
  for (const workload of workloads) {
    const given = [workload, { app: workload.app, python }, { ...ports, openDatabases }] as const;
    const one = await openDatabase(...given, isKept ? kept : undefined).catch(String);
    if (typeof one === "string") events.push(one);
    else await one[Symbol.asyncDispose]();
  }
  await kept[Symbol.asyncDispose]();
  return events;
}

const other = { ...shop, app: { ...shop.app, variables: { MODE: "b" } } };
const own = ["start 1", "copy of 1", "drop copy of 1"];

describe("a seeded database", () => {
  test.for<readonly [what: string, workloads: readonly Workload[], expected: readonly string[]]>([
    ["serves the next start, too", [shop, shop], [...own, "copy of 1", "drop copy of 1", "end 1"]],
    [
      "is made again where something else fills it",
      [shop, other],
      [...own, "end 1", "start 2", "copy of 2", "drop copy of 2", "end 2"],
    ],
    ["is not needed without a database", [workloadOf({ database: "none" })], []],
  ])("%s", async ([, workloads, expected]) => {
    expect(await opened(workloads)).toEqual(expected);
  });

  test("ends with its start where nobody keeps it", async () => {
    expect(await opened([shop], { isKept: false })).toEqual(["start 1", "copy of 1", "end 1"]);
  });

  test("of files is in the folder of one start", async () => {
    const { database } = shop;
    const files = {
      ...shop,
      database: database.kind === "none" ? database : { ...database, kind: "file" as const },
    };
    const events = await opened([files, files]);
    expect(events.filter((each) => each.startsWith("start"))).toHaveLength(2);
  });

  test.for([
    [true, ["start 1", "Error: the disk is full", "copy of 1", "drop copy of 1", "end 1"]],
    [false, ["start 1", "end 1", "Error: the disk is full", "start 2", "copy of 2", "end 2"]],
  ] as const)("that cannot be copied is told; kept: %s", async ([isKept, expected]) => {
    expect(await opened([shop, shop], { isKept, copies: (time) => time > 1 })).toEqual(expected);
  });
});
