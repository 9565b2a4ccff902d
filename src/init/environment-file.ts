import type { Mended } from "./mended.ts";
import type { Project } from "./project.ts";

/** Python's words, and Starlette's, for a file that is not there: an absolute path in a folder that only `init` knows. */
const missing =
  /FileNotFoundError: (?:\[Errno 2\] No such file or directory: |Config file )['"]([^'"\n]*\/)?((?:[\w-]*\.)?env(?:\.[\w-]+)*)['"]/;

/** An app that opens its environment file finds an empty one: its variables come from the load test. */
export function withEnvironmentFile(project: Project, said: string): Mended | undefined {
  const [, folder = "", name] = missing.exec(said) ?? [];
  if (name === undefined || project.findings.some(({ key }) => key === "env-file")) return undefined;
  const value = `${placeIn(project, partsOf(folder))}${name}`;
  const reason =
    "the app does not start without this file; an empty one will do, as the load test sets variables";
  return {
    project: { ...project, findings: [...project.findings, { key: "env-file", value, reason }] },
    told: `the app does not start without the file \`${value}\`, so it gets an empty one (\`env-file\`)`,
  };
}

/** The longest end of a path that is a folder of the project. */
function placeIn({ files }: Project, parts: readonly string[]): string {
  const ends = parts.map((_, index) => `${parts.slice(index).join("/")}/`);
  return ends.find((end) => files.some(({ path }) => path.startsWith(end))) ?? "";
}

/** The folders of a path, without those that it leaves again. */
function partsOf(folder: string): readonly string[] {
  const parts: string[] = [];
  for (const part of folder.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts;
}
