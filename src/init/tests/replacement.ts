import { isGuard } from "../../model/endpoint/login.ts";
import type { Proposal } from "../project.ts";
import type { Learned } from "./learning.ts";

/** The file with {@link moduleWithoutLogin}, next to the app's modules. */
export const replacementFile = "app_without_login.py";

/** The import string of the app in it. */
export const replacementApp = "app_without_login:app";

/**
 * Lines of a module that serves the app without the login that its tests replace; none where they replace nothing of the
 * app's own. Where no line of code makes what a replacement returns, an ellipsis stands for it.
 *
 * @param app its import string
 */
export function moduleWithoutLogin(app: string, replaced: Learned["replaced"]): readonly string[] {
  const [, module = "", name = "", call = ""] = /^([\w.]+):(\w+)(\(\))?$/.exec(app) ?? [];
  const guards = [...replaced].flatMap(([each, value]) => {
    const [, from = "", guard = ""] = /^([\w.]+):([\w.]+)$/.exec(each) ?? [];
    return isGuard(guard) && !/(?:^|\.)(?:tests?|conftest)\b/.test(from) ? [{ from, guard, value }] : [];
  });
  if (module === "" || guards.length === 0) return [];
  const imports = [
    `${module}:${name}`,
    ...guards.map(({ from, guard }) => `${from}:${guard.replace(/\..*/, "")}`),
    ...guards.flatMap(({ value }) => value?.imports ?? []),
  ];
  return [
    ...[...new Set(imports)].map((each) =>
      each.replace(/^(.+):(.+)$/, "from $1 import $2").replace(/^(.+):$/, "import $1"),
    ),
    ...(call === "" && name === "app" ? [] : [`app = ${name}${call}`]),
    ...guards.map(
      ({ guard, value }) => `app.dependency_overrides[${guard}] = lambda: ${value?.source ?? "..."}`,
    ),
  ];
}

/** The same, shown without effect. */
export function proposeReplacement(app: string, replaced: Learned["replaced"]): readonly Proposal[] {
  const lines = moduleWithoutLogin(app, replaced);
  if (lines.length === 0) return [];
  const isWhole = !lines.some((line) => line.endsWith("lambda: ..."));
  const how = isWhole
    ? "run `init --replace-login --overwrite`, or save the lines below"
    : "save the lines below, with what the tests return in place of the dots,";
  const reason = `The tests replace the login. To request what it guards, ${how} as ${replacementFile} next to the app's modules and use this \`app\`. The cost of the login is then not in the figures.`;
  return [{ reason, lines: [`app: ${replacementApp}`, ...lines.map((line) => `  ${line}`)] }];
}
