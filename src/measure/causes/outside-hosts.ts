import { outsideHosts, outsideSentence } from "../../diagnosis/probe-documents.ts";
import { isOtherStore, messageOf } from "../../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { endpointLabel } from "../../model/endpoint/endpoint.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { hostsOfServices } from "../../model/workload/service.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { answersOf, type RunningArms, type ServerPorts } from "../pair/index.ts";
import {
  anybody,
  isWatchedOnce,
  keyOf,
  type OutsideByEndpoint,
  type Prepared,
  refuseOtherStore,
} from "../preparation/index.ts";
import { oneOfEach, outsideOf, windowOf } from "./watched-arm.ts";
import { probeOf, startingWithin, within, withWatchedArms } from "./watched-servers.ts";

/** The first start of an app may compile its modules; one that takes longer is not worth the wait. */
const startWithinSeconds = 15;
/** Afterwards no more requests are sent. */
const sendingSeconds = 20;
const requestSeconds = 10;
const mostSeconds = startWithinSeconds + sendingSeconds + 2 * requestSeconds + 5;
/** Endpoints that are requested one by one, to say whose request it was. */
const mostAlone = 20;
/** The window of the first requests, which go to all endpoints. */
const together = "all";

type Ports = ServerPorts & Pick<MeasurePorts, "clock" | "signal" | "startDeadline">;

/**
 * Warns of hosts that the load would reach; without `seen` both arms start once to find out. Ends with an
 * `EnvironmentError` where an app opens a store of somebody else.
 */
export async function warnOfOutside(
  { cells }: Pick<Plan, "cells">,
  prepared: Prepared,
  ports: Ports,
  seen?: OutsideByEndpoint,
): Promise<Prepared> {
  const chosen = oneOfEach(cells);
  const { workload } = prepared;
  const isWanted = isWatchedOnce(workload) && !ports.signal.aborted;
  const found = seen ?? (isWanted && isNonEmpty(chosen) ? await look(chosen, prepared, ports) : undefined);
  if (found === undefined) return prepared;
  const outside = withoutKnown(found, workload);
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

/** Without the database's own server and services that both arms share, which the report names elsewhere. */
function withoutKnown(found: OutsideByEndpoint, { database, app }: Workload): OutsideByEndpoint {
  const urls = database.kind === "existing" ? [database.url] : [];
  const known = hostsOfServices([...Object.values(app.variables), ...urls]);
  return new Map([...found].map(([key, hosts]) => [key, hosts.filter((host) => !known.includes(host))]));
}

async function look(
  cells: NonEmptyArray<Cell>,
  prepared: Prepared,
  ports: Ports,
): Promise<OutsideByEndpoint | undefined> {
  ports.progress({ kind: "step", text: "checking for outbound calls" });
  const own = startingWithin(prepared, startWithinSeconds);
  const cell: Cell = {
    ...cells[0],
    workers: 1,
    load: { kind: "constant", virtualUsers: 1, durationSeconds: 1 },
  };
  const options = { watched: { purpose: "outside" } } as const;
  const arms: readonly ArmName[] = own.arms.base === undefined ? ["head"] : armNames;
  try {
    return await within(mostSeconds, prepared, ports, (limited) =>
      withWatchedArms(cell, arms, own, options, limited, (runningArms) =>
        hostsOf(cells, runningArms, own, limited),
      ),
    );
  } catch (error) {
    if (isOtherStore(error)) throw error;
    const text = `outbound calls could not be checked: ${messageOf(error)}`;
    if (!ports.signal.aborted) ports.progress({ kind: "step", text });
    return undefined;
  }
}

/** Most apps reach for nobody, so all endpoints are requested together first, and one by one only if they do. */
async function hostsOf(
  cells: NonEmptyArray<Cell>,
  runningArms: RunningArms,
  prepared: Prepared,
  ports: Ports,
): Promise<OutsideByEndpoint> {
  const probe = probeOf(runningArms, "head");
  const until = ports.clock() + sendingSeconds;
  const requestIn = async (window: string, requested: readonly Cell[]) => {
    if (ports.clock() > until) return;
    await probe.openWindow(window);
    for (const cell of requested) {
      if (ports.clock() > until) return;
      const timeoutSeconds = Math.min(requestSeconds, cell.load.timeoutSeconds ?? requestSeconds);
      const inTime = { ...cell, load: { ...cell.load, timeoutSeconds } };
      await Promise.allSettled(
        [...runningArms].map(([name, arm]) => answersOf(inTime, name, arm, prepared, ports)),
      ); // the measurement reports what fails
    }
  };
  await requestIn(together, cells);
  for (const [arm, { app }] of runningArms) await refuseOtherStore(app, "dry request", arm);
  const all = outsideHosts(await probe.readFiles(), together);
  if (all.length === 0) return new Map();
  if (cells.length === 1) return new Map([[keyOf(cells[0]), all]]);
  const alone = cells.slice(0, mostAlone);
  for (const [index, cell] of alone.entries()) await requestIn(windowOf(index), [cell]);
  const areAllAsked = cells.length === alone.length && ports.clock() <= until;
  const found = outsideOf(await probe.readFiles(), alone);
  // Some are reached for once only, e.g. for a token that is cached. Others may belong to an endpoint that was left out.
  const known = new Set(areAllAsked ? [...found.values()].flat() : []);
  const others = all.filter((host) => !known.has(host));
  return others.length === 0 ? found : new Map([...found, [anybody, others]]);
}
