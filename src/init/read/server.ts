import { serverTemplateOf } from "../../config/server-presets.ts";
import type { FoundApp } from "../../model/workload/found-app.ts";
import { type FoundSetting, nameOf, type ProjectFile } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

const names = ["gunicorn", "hypercorn", "granian", "fastapi run", "uvicorn"] as const;

const workerClass =
  "gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class uvicorn.workers.UvicornWorker";

const wsgi = "gunicorn {app} --bind {host}:{port} --workers {workers}";

/** The server of an app without uvicorn: the one that a container or a process file starts, else a required one. */
export function findServer(
  app: Pick<FoundApp, "framework">,
  { has }: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  const started = files
    .filter(({ path }) => /^(?:.*\.)?(?:Dockerfile|Containerfile|Procfile)\b|\.sh$/.test(nameOf(path)))
    .flatMap(({ path, text }) => {
      const said = text.replaceAll(/^[ \t]*(?:#|RUN\s).*$/gm, "").replaceAll(/[",[\]\s]+/g, " ");
      const name = names.find((each) => said.includes(each));
      return name === undefined ? [] : [{ name, reason: `${path} starts it` }];
    });
  const required = names
    .filter((name) => has(name) || (name === "fastapi run" && has("fastapi-cli")))
    .toSorted((a, b) => Number(b === "uvicorn") - Number(a === "uvicorn"))
    .map((name) => ({ name, reason: "it is among the requirements, and uvicorn is not" }));
  const [found] = [...started, ...required];
  if (found === undefined) return [];
  const value = templateOf(found.name, app, has);
  if (value === "uvicorn") return [];
  const own = /^gunicorn\b/.test(value) ? files.find(restartsWorkers) : undefined;
  if (own === undefined) return [{ key: "server", value, reason: found.reason }];
  const reason = `${found.reason}; its workers would end after the max_requests of ${own.path}, under load within seconds`;
  return [{ key: "server", value: `${serverTemplateOf(value)} --max-requests 0`, reason }];
}

/** gunicorn reads such a file by itself in the folder in which it starts. */
function restartsWorkers({ path, text }: ProjectFile): boolean {
  return path === "gunicorn.conf.py" && /^[ \t]*max_requests[ \t]*=[ \t]*[1-9"'i]/m.test(text);
}

function templateOf(
  name: (typeof names)[number],
  { framework }: Pick<FoundApp, "framework">,
  has: FoundRequirements["has"],
): string {
  if (name === "fastapi run") return "fastapi";
  if (name !== "gunicorn") return name;
  if (framework === "Flask") return wsgi;
  return has("uvicorn-worker") ? name : workerClass;
}
