import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { EnvironmentError, InputError, messageOf } from "../../errors/errors.ts";
import type { Service } from "../../model/workload/service.ts";
import { describeExit, readTail, runProcess } from "../process/index.ts";
import { engineVariables, removeAbandonedContainers, type ServiceWay, wayOf } from "./service-way.ts";

const pullWithinMs = 15 * 60_000;

/** Checks that each service can start here, and gets images. Throws an `InputError` or `EnvironmentError`. */
export async function prepareServices(
  services: readonly Service[],
  place: { readonly path: string; readonly appFolder: string },
  {
    logPath,
    signal,
    onStep,
  }: { readonly logPath: string; readonly signal: AbortSignal; onStep(text: string): void },
): Promise<void> {
  const others = services.filter(({ stub }) => stub === undefined); // ours is always there
  const ways = await Promise.all(
    others.map(async (service) => ({ service, way: await wayOf(service, place) })),
  );
  const without = ways.filter(({ way }) => way === undefined).map(({ service }) => noWay(service));
  if (without.length > 0) throw new InputError(without);
  const [engine] = ways.flatMap(({ way }) => (way?.kind === "image" ? way.engine : []));
  if (engine !== undefined) {
    await mkdir(dirname(logPath), { recursive: true });
    await removeAbandonedContainers(engine, { logPath, signal }).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  }
  for (const { service, way } of ways)
    if (way?.kind === "image") await fetchImage(service, way, { logPath, signal, onStep });
}

export function noWay({ name, programs, image, debianPackage }: Service): string {
  const known = namesOf(programs).join(" nor ");
  const install = debianPackage === undefined ? "" : `, e.g. sudo apt-get install --yes ${debianPackage}`;
  if (known === "")
    return `services.${name}: the image ${image?.image} needs docker or podman, but neither is on PATH; install one, or set a command`;
  const [inFolder] = programs.filter(({ program }) => program.includes("/"));
  if (inFolder !== undefined && image === undefined)
    return `services.${name}: there is no program ${inFolder.program}; a path begins at the app's folder`;
  const neither = known.includes(" nor ") ? `neither ${known} is` : `${known} is not`;
  return image === undefined
    ? `services.${name}: ${neither} on PATH or in the app's environment; install it first, or set an image`
    : `services.${name}: ${neither} on PATH, and neither is docker; install one of them first${install}`;
}

function namesOf(programs: Service["programs"]): readonly string[] {
  return [...new Set(programs.map(({ program }) => program.split("/").at(-1) ?? program))];
}

async function fetchImage(
  { name, programs }: Service,
  { engine, image: { image } }: Extract<ServiceWay, { kind: "image" }>,
  {
    logPath,
    signal,
    onStep,
  }: { readonly logPath: string; readonly signal: AbortSignal; onStep(text: string): void },
): Promise<void> {
  const run = (argv: readonly [string, ...string[]], withinMs: number) =>
    runProcess({ argv, variables: engineVariables(), logPath, withinMs, phase: "start app" }, signal);
  const inspected = await run([engine, "image", "inspect", "--format", "{{.Id}}", image], 30_000);
  if (inspected.code === 0) return;
  onStep(`downloading the image ${image}`);
  const pulled = await run([engine, "pull", "--quiet", image], pullWithinMs).catch((error: unknown) => {
    if (signal.aborted || error instanceof EnvironmentError) throw error;
    throw new EnvironmentError("start app", `services.${name}: ${messageOf(error)}`);
  });
  if (pulled.code === 0) return;
  throw new EnvironmentError(
    "start app",
    `services.${name}: the image ${image} could not be pulled (${basename(engine)} pull ended with ${describeExit(pulled)}); check its name and that ${basename(engine)} is running, or ${programs.length > 0 ? `put ${namesOf(programs).join(" or ")} on PATH` : "set a command"}`,
    { logTail: await readTail(logPath) },
  );
}
