import { servers, usualServer } from "../model/workload/servers.ts";
import { readyPathIn } from "./endpoints.ts";
import type { Mended } from "./mended.ts";
import type { Project } from "./project.ts";
import type { FoundSetting } from "./source-file.ts";

/** Another path tells when the app is ready, where its first page fails, e.g. for want of a frontend that is built. */
export function withReadyPath(project: Project, said: string, document: unknown): Mended | undefined {
  if (!/polled \S+, last answer: HTTP 5/.test(said) || has(project, "ready-path")) return undefined;
  const path = readyPathIn(document);
  if (path === undefined) return undefined;
  const reason = "its first page fails here, so this one tells when the app is ready";
  return {
    project: withFinding(project, "ready-path", path, reason),
    told: `the app's first page fails here, so \`${path}\` tells when it is ready (\`ready-path\`)`,
  };
}

const longStart = "3m";

/** A start that takes a third of the usual limit here may take all of it where a machine is busier. */
const slowSeconds = 10;

/** A limit for an app that has started, but slowly; `undefined`: the usual one will do, or there is another. */
export function timeForSlowStart(project: Project, startSeconds: number): FoundSetting | undefined {
  if (startSeconds <= slowSeconds || has(project, "ready-timeout")) return undefined;
  const reason = `its start took ${Math.round(startSeconds)} s here, and may take longer elsewhere`;
  return { key: "ready-timeout", value: longStart, reason };
}

/** A server that is still alive and silent has much to import. */
export function withTimeToStart(project: Project, said: string): Mended | undefined {
  const isSlow =
    /was not ready after .*(?:ECONNREFUSED|no answer in time).*; processes alive: |^it was still being made after \d+ s$/.test(
      said,
    );
  if (!isSlow || has(project, "ready-timeout")) return undefined;
  return {
    project: withFinding(project, "ready-timeout", longStart, "its start takes more than half a minute"),
    told: `the app had not started after half a minute, so it gets ${longStart} (\`ready-timeout\`)`,
  };
}

/** An old uvicorn asks for an event loop as no newer uvloop gives it. */
export function withOtherLoop(project: Project, said: string): Mended | undefined {
  if (!said.includes("There is no current event loop in thread 'MainThread'") || has(project, "server"))
    return undefined;
  const { name, command, eventLoop } = usualServer;
  const server = `${command} ${eventLoop.option} ${eventLoop.otherwise}`;
  return {
    project: withFinding(
      project,
      "server",
      server,
      `its ${name} is older than the ${eventLoop.preferred} here`,
    ),
    told: `the app's ${name} cannot start the ${eventLoop.preferred} that is here, so it gets ${eventLoop.otherwise}'s loop (\`server\`)`,
  };
}

/**
 * fastapi-cli calls uvicorn; an old one cannot be told which app of which module. A server that an image brings along is
 * missing here.
 */
export function withOtherServer(project: Project, said: string): Mended | undefined {
  const own = project.findings.find(({ key }) => key === "server");
  if (own === undefined) return undefined;
  const [, missing] = /program "([\w.-]+)" was not found/.exec(said) ?? [];
  const { tooOld } = servers.find(({ name }) => name === own.value) ?? {};
  const problem = tooOld?.output.test(said) ? tooOld.problem : undefined;
  const isMissing = missing !== undefined && String(own.value).split(" ")[0] === missing;
  if (problem === undefined && !isMissing) return undefined;
  return {
    project: { ...project, findings: project.findings.filter((each) => each !== own) },
    told:
      problem === undefined
        ? `${missing} is not among the app's requirements, so ${usualServer.name} is called in its place`
        : `${problem}, so ${usualServer.name} is called, as it would do`,
  };
}

/** An app without a worker that ends by itself can still be measured. */
export function withoutProcess(project: Project, said: string): Mended | undefined {
  const [, name] = /\bprocess ([\w.-]+) ended\b/.exec(said) ?? [];
  const own = project.findings.find(({ key }) => key === "processes");
  const all = Object.entries(Object(own?.value)).map(([each, command]) => [each, String(command)] as const);
  if (name === undefined || own === undefined || !all.some(([each]) => each === name)) return undefined;
  const others = all.filter(([each]) => each !== name);
  const rest = project.findings.filter((each) => each !== own);
  return {
    project: {
      ...project,
      findings: others.length === 0 ? rest : [...rest, { ...own, value: Object.fromEntries(others) }],
    },
    told: `the process ${name} ends here by itself and is left out of \`processes\`; write a command that works`,
  };
}

function withFinding(project: Project, key: string, value: string, reason: string): Project {
  return { ...project, findings: [...project.findings, { key, value, reason }] };
}

function has({ findings }: Project, wanted: string): boolean {
  return findings.some(({ key }) => key === wanted);
}
