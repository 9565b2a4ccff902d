import type { Proposal } from "../project.ts";

/** Names of what guards a route, rather than of what it reads from. */
const isGuard = /user|auth|login|token|account|admin|permission|principal/i;

/**
 * A module that serves the app without the log-in that its tests replace, shown without effect; none where they replace
 * nothing of the app's own.
 *
 * @param app its import string
 * @param replaced dependencies, as `module:name`
 */
export function proposeReplacement(app: string, replaced: readonly string[]): readonly Proposal[] {
  const [, module = "", name = "", call = ""] = /^([\w.]+):(\w+)(\(\))?$/.exec(app) ?? [];
  const guards = replaced.flatMap((each) => {
    const [, from = "", guard = ""] = /^([\w.]+):(\w+)$/.exec(each) ?? [];
    return isGuard.test(guard) && !/(?:^|\.)(?:tests?|conftest)\b/.test(from) ? [{ from, guard }] : [];
  });
  if (module === "" || guards.length === 0) return [];
  return [
    {
      reason:
        "The tests replace the login. To request what it guards, save the lines below as loadtest_app.py next to the app's modules, return what the tests return, and use this `app`. The cost of the login is then not in the figures.",
      lines: [
        "app: loadtest_app:app",
        `  from ${module} import ${name}`,
        ...guards.map(({ from, guard }) => `  from ${from} import ${guard}`),
        ...(call === "" && name === "app" ? [] : [`  app = ${name}${call}`]),
        ...guards.map(({ guard }) => `  app.dependency_overrides[${guard}] = lambda: ...`),
      ],
    },
  ];
}
