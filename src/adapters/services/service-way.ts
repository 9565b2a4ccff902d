import { access, constants, rm } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import {
  filled,
  type Service,
  type ServiceImage,
  type ServicePorts,
  type ServiceProgram,
  serviceHost,
} from "../../model/workload/service.ts";
import { type Argv, abandonedMark, ownMark, readTail, runProcess, userName } from "../process/index.ts";

export type ServiceWay =
  | { readonly kind: "program"; readonly path: string; readonly program: ServiceProgram }
  | { readonly kind: "image"; readonly engine: string; readonly image: ServiceImage };

/** Servers are often where only root looks for programs. */
const moreFolders = ["/usr/sbin", "/usr/local/sbin"];

/** PATH for services: the app's environment first. */
export function searchPath(binFolder: string): string {
  return [binFolder, process.env["PATH"] ?? "", ...moreFolders].filter((each) => each !== "").join(delimiter);
}

export async function wayOf(
  service: Service,
  { path, appFolder }: { readonly path: string; readonly appFolder: string },
): Promise<ServiceWay | undefined> {
  for (const program of service.programs) {
    const found = await findProgram(program.program, path, appFolder);
    if (found !== undefined) return { kind: "program", path: found, program };
  }
  if (service.image === undefined) return undefined;
  const engine = (await findProgram("docker", path)) ?? (await findProgram("podman", path));
  return engine === undefined ? undefined : { kind: "image", engine, image: service.image };
}

/** True when this machine can start the service without a container: also make its data folder. */
export async function hasProgram({ programs }: Pick<Service, "programs">): Promise<boolean> {
  for (const { program, setup } of programs) {
    const needed = [program, ...(setup?.slice(0, 1) ?? [])];
    const found = await Promise.all(needed.map((each) => findProgram(each, searchPath(""))));
    if (found.every((each) => each !== undefined)) return true;
  }
  return false;
}

/** @param folder in which it runs: a path is one from there, as for every program */
export async function findProgram(program: string, path: string, folder = ""): Promise<string | undefined> {
  const isPath = program.includes("/");
  const folders = isAbsolute(program) ? [""] : isPath ? [folder] : path.split(delimiter);
  for (const folder of folders) {
    const each = join(folder, program);
    const isThere = await access(each, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return each;
  }
  return undefined;
}

const unknownRoute = /^no route: ([A-Z]+ \/\S*)$/gm;

/** How our stub server is started: Node itself runs it, with the routes in a file of its folder. */
export function stubWay(routes: string, serverPath: string): ServiceWay {
  const args = [serverPath, "{folder}/routes.json", "{port}"];
  const files = { "routes.json": routes };
  return { kind: "program", path: process.execPath, program: { program: "node", args, files } };
}

/** Requests that a stub has no reply to, by its log: `GET /x`. Foreign text. */
export function unknownRoutesIn(log: string): string[] {
  return [...new Set([...log.matchAll(unknownRoute)].map(([, route = ""]) => route))];
}

export function filler(ports: ServicePorts, folder: string): (template: string) => string {
  const values = { host: serviceHost, ...ports, folder, me: userName() };
  return (template) => filled(template, values);
}

export function filledValues(
  variables: Readonly<Record<string, string>>,
  fill: (template: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fill(value)]));
}

/** The command that runs a container in the foreground; its ports are open on this machine only. */
export function containerArgv(
  engine: string,
  { image, port, port2, args, variables }: ServiceImage,
  {
    name,
    ports,
    cpus,
  }: { readonly name: string; readonly ports: ServicePorts; readonly cpus: string | undefined },
): Argv {
  const publish = (outer: number, inner: number | undefined) =>
    inner === undefined ? [] : ["--publish", `${serviceHost}:${outer}:${inner}`];
  return [
    engine,
    "run",
    "--rm",
    ...labelWords(),
    "--name",
    name,
    ...publish(ports.port, port),
    ...publish(ports.port2, port2),
    ...(cpus === undefined ? [] : ["--cpuset-cpus", cpus]),
    ...Object.entries(variables).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
    ...args,
  ];
}

const label = "fastapi-loadtest.owner";
const answersWithinMs = 30_000;
const mostAnswerBytes = 1_000_000;

interface EnginePlace {
  readonly logPath: string;
  readonly signal?: AbortSignal;
}

/** Words of a `run` by which a later run of this machine finds what this one left. */
function labelWords(): readonly string[] {
  return ["--label", `${label}=${ownMark()}`];
}

/** Where the engine is and how it is reached. Only the engine gets these: they may hold a login. */
export function engineVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const names = /^(?:DOCKER_\w+|CONTAINERS?_\w+|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/;
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      names.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

export async function removeContainer(engine: string, id: string, place: EnginePlace): Promise<void> {
  const argv = [engine, "rm", "--force", "--volumes", id] as const;
  const limits = { withinMs: answersWithinMs, phase: "start app" } as const;
  const { logPath, signal } = place;
  await runProcess({ argv, variables: engineVariables(), logPath, ...limits }, signal);
}

/** Removes the containers of runs of this machine that were killed before they could. */
export async function removeAbandonedContainers(engine: string, place: EnginePlace): Promise<void> {
  const { logPath, signal } = place;
  const outputPath = `${logPath}.containers`;
  await rm(outputPath, { force: true });
  const format = `{{.ID}} {{.Label "${label}"}}`;
  const argv = [engine, "ps", "--all", "--filter", `label=${label}`, "--format", format] as const;
  const limits = { withinMs: answersWithinMs, phase: "start app" } as const;
  const { code } = await runProcess(
    { argv, variables: engineVariables(), logPath, outputPath, ...limits },
    signal,
  );
  if (code !== 0) return; // whoever starts a container learns why
  for (const line of (await readTail(outputPath, mostAnswerBytes)).split("\n")) {
    const [, id, mark] = /^([0-9a-f]{6,64}) (\S+)$/.exec(line.trim()) ?? [];
    if (id !== undefined && mark !== undefined && abandonedMark(mark))
      await removeContainer(engine, id, place);
  }
}
