import { serverTemplateOf } from "../../model/workload/server-command.ts";
import { type KnownServer, servers, usualServer } from "../../model/workload/servers.ts";
import type { FoundApp } from "../../model/workload/workload.ts";
import { type FoundSetting, nameOf, type ProjectFile } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

/** The usual server last: gunicorn's command may name a worker of its. */
const named = servers
  .filter(({ command }) => command !== undefined)
  .toSorted((a, b) => Number(a === usualServer) - Number(b === usualServer));

/** The server of an app without the usual one: the one that a container or a process file starts, else a required one. */
export function findServer(
  app: Pick<FoundApp, "framework">,
  { has }: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  const started = files
    .filter(({ path }) => /^(?:.*\.)?(?:Dockerfile|Containerfile|Procfile)\b|\.sh$/.test(nameOf(path)))
    .flatMap(({ path, text }) => {
      const words = text.replaceAll(/^[ \t]*(?:#|RUN\s).*$/gm, "").replaceAll(/[",[\]\s]+/g, " ");
      const server = named.find(({ name, startedBy = name }) => words.includes(startedBy));
      return server === undefined ? [] : [{ server, words, reason: `${path} starts it` }];
    });
  const configured = named
    .filter(({ needs: [own], settingsFile }) => has(own) && files.some(({ path }) => path === settingsFile))
    .map((server) => ({ server, words: "", reason: `${server.settingsFile} configures it` }));
  const required = (
    has(usualServer.needs[0]) ? [usualServer] : named.filter(({ needs: [own] }) => has(own))
  ).map((server) => ({
    server,
    words: "",
    reason: `it is in the requirements, and ${usualServer.name} is not`,
  }));
  const [found] = [...started, ...configured, ...required];
  if (found === undefined || found.server === usualServer) return [];
  const { server, words, reason } = found;
  const workerClass = workerClassOf(server, words, files);
  return [settingOf(server, reason, { isWsgi: app.framework === "Flask", has, workerClass }, files)];
}

/** What its command says, else the file of settings that the command names or that the server reads by itself. */
function workerClassOf(
  { name, settingsFile }: KnownServer,
  words: string,
  files: readonly ProjectFile[],
): string | undefined {
  if (settingsFile === undefined) return undefined;
  const command = words.slice(Math.max(0, words.indexOf(name)));
  const [, chosen] = / (?:-k|--worker-class)[ =]+([\w.]+)/.exec(command) ?? [];
  const [, file = settingsFile] =
    / (?:-c|--config)[ =]+(?:file:|\.\/|\/\S+\/)?([\w./-]+)/.exec(command) ?? [];
  const text = files.find(({ path }) => path === file)?.text ?? "";
  return chosen ?? /^[ \t]*worker_class[ \t]*=[ \t]*["']([\w.]+)["']/m.exec(text)?.[1];
}

function settingOf(
  server: KnownServer,
  reason: string,
  app: Parameters<NonNullable<KnownServer["commandFor"]>>[0],
  files: readonly ProjectFile[],
): FoundSetting {
  const value = server.commandFor?.(app) ?? server.name;
  const { endsWorkers } = server;
  // The server reads such a file by itself in the folder in which it starts.
  const [, setting] = files.flatMap(({ path, text }) =>
    path === endsWorkers?.file ? (endsWorkers.setting.exec(text) ?? []) : [],
  );
  if (endsWorkers === undefined || setting === undefined) return { key: "server", value, reason };
  return {
    key: "server",
    value: `${serverTemplateOf(value)} ${endsWorkers.off}`,
    reason: `${reason}; under load, its workers would restart within seconds because of ${setting} in ${endsWorkers.file}`,
  };
}
