import { outsideHosts, outsideSentence } from "../diagnosis/outside-hosts.ts";
import { messageOf } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { endpointLabel, isSocket } from "../model/endpoint/endpoint.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Plan } from "../model/plan/plan.ts";
import { hostsOfServices } from "../model/workload/shared-services.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { answersOf } from "./dry-request.ts";
import type { OutsideByEndpoint, Prepared } from "./prepared.ts";
import type { RunningArm } from "./running-arms.ts";
import { keyOf, outsideOf, windowOf, withWatchedArm } from "./watched-arm.ts";

/** The first start of an app may compile its modules; one that takes longer is not worth the wait. */
const startWithinSeconds = 15;
/** Afterwards no more endpoints are asked. */
const askSeconds = 20;
const requestSeconds = 10;
const mostSeconds = startWithinSeconds + askSeconds + 2 * requestSeconds + 5;
/** Endpoints that are asked one by one, to tell whose request it was. */
const mostAlone = 20;

/**
 * Tells before any load whom the load would load, too. If nobody has seen it yet, the head starts once, watched, and each
 * endpoint gets its request before the load. A failure here costs only that.
 *
 * @param seen hosts that another look has found
 * @returns what was prepared, with the hosts
 */
export async function tellOutside(
  { cells }: Pick<Plan, "cells">,
  prepared: Prepared,
  ports: MeasurePorts,
  seen?: OutsideByEndpoint,
): Promise<Prepared> {
  const asked = cells.filter(({ endpoint }) => !isSocket(endpoint));
  const chosen = [...new Map(asked.map((cell) => [keyOf(cell), cell])).values()];
  const isWanted = seen === undefined && mayLook(prepared.workload) && !ports.signal.aborted;
  const found = isWanted && isNonEmpty(chosen) ? await look(chosen, prepared, ports) : seen;
  if (found === undefined) return prepared;
  const outside = withoutKnown(found, prepared.workload);
  const sentence = outsideSentence([
    ...chosen.map((cell) => ({
      hosts: outside.get(keyOf(cell)) ?? [],
      endpoint: endpointLabel(cell.endpoint),
    })),
    { hosts: outside.get(anybody) ?? [] },
  ]);
  if (sentence !== undefined) ports.progress({ kind: "warning", text: sentence });
  return { ...prepared, outside };
}

/** Nobody but k6 knows what a script asks for. An app that runs elsewhere is never diagnosed. */
function mayLook({ scriptPath, diagnose }: Workload): boolean {
  return scriptPath === undefined && diagnose !== "never";
}

/** The database's own server and services that both arms share are told elsewhere. */
function withoutKnown(found: OutsideByEndpoint, { database, app }: Workload): OutsideByEndpoint {
  const known = hostsOfServices([
    ...Object.values(app.variables),
    ...(database.kind === "existing" ? [database.url] : []),
  ]);
  return new Map(
    [...found].map(([key, hosts]) => [key, hosts.filter((host) => !known.includes(host))] as const),
  );
}

/** The window of the first requests, which go to all endpoints. */
const together = "all";
/** Key of hosts of which nobody knows whose request it was. */
const anybody = "";

async function look(
  cells: NonEmptyArray<Cell>,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<OutsideByEndpoint | undefined> {
  ports.progress({ kind: "step", text: "looking whom outside the app tries to reach" });
  const { server } = prepared.workload;
  const readyWithinSeconds = Math.min(server.readyWithinSeconds, startWithinSeconds);
  const workload = { ...prepared.workload, server: { ...server, readyWithinSeconds } };
  await Promise.allSettled(prepared.leaving);
  using deadline = ports.startDeadline(ports.signal, mostSeconds);
  const limited = { ...ports, signal: deadline.signal };
  const cell: Cell = { ...cells[0], load: { kind: "constant", virtualUsers: 1, durationSeconds: 1 } };
  const own = { ...prepared, workload };
  try {
    return await withWatchedArm("head", cell, { name: "outside" }, own, limited, (runningArm, probe) =>
      ask(cells, runningArm, probe, own, limited),
    );
  } catch (error) {
    if (ports.signal.aborted) return undefined;
    const reason = deadline.isOver ? `to look took more than ${mostSeconds} s` : messageOf(error);
    ports.progress({ kind: "step", text: `whom outside the app tries to reach is not known: ${reason}` });
    return undefined;
  }
}

/** Most apps reach for nobody, so all endpoints are asked together first, and one by one only if they do. */
async function ask(
  cells: NonEmptyArray<Cell>,
  runningArm: RunningArm,
  probe: Probe,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<OutsideByEndpoint> {
  const until = ports.clock() + askSeconds;
  const askIn = async (window: string, asked: readonly Cell[]) => {
    if (ports.clock() > until) return;
    await probe.openWindow(window);
    for (const cell of asked) if (ports.clock() <= until) await askOnce(cell, runningArm, prepared, ports);
  };
  await askIn(together, cells);
  const all = outsideHosts(await probe.readFiles(), together);
  if (all.length === 0) return new Map();
  if (cells.length === 1) return new Map([[keyOf(cells[0]), all]]);
  const alone = cells.slice(0, mostAlone);
  for (const [index, cell] of alone.entries()) await askIn(windowOf(index), [cell]);
  const found = outsideOf(await probe.readFiles(), alone);
  // Some are reached for once only, e.g. for a token that is kept.
  const told = new Set([...found.values()].flat());
  const others = all.filter((host) => !told.has(host));
  return others.length === 0 ? found : new Map([...found, [anybody, others]]);
}

/** What goes wrong is told by the measurement. */
async function askOnce(
  cell: Cell,
  runningArm: RunningArm,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<void> {
  const timeoutSeconds = Math.min(requestSeconds, cell.load.timeoutSeconds ?? requestSeconds);
  const inTime = { ...cell, load: { ...cell.load, timeoutSeconds } };
  await answersOf(inTime, "head", runningArm, prepared, ports).catch(() => undefined);
}
