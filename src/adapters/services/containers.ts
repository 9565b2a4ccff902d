import { rm } from "node:fs/promises";

import { abandonedMark, ownMark, readTail, runProcess } from "../process/index.ts";

const label = "fastapi-loadtest.owner";
const answersWithinMs = 30_000;
const mostAnswerBytes = 1_000_000;

interface EnginePlace {
  readonly logPath: string;
  readonly signal?: AbortSignal;
}

/** Words of a `run` by which a later run of this machine finds what this one left. */
export function labelWords(): readonly string[] {
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
