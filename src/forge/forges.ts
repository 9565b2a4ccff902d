import { defined } from "../lists/defined.ts";
import type { Links } from "../report/links.ts";
import { gitea } from "./gitea/gitea.ts";
import { github } from "./github/github.ts";
import { gitlab } from "./gitlab/gitlab.ts";
import type { EventFile, ForgeTraits, RunContext, Variables } from "./run.ts";

/** The first one that is around a job is its forge: Gitea calls itself GitHub, too. */
export const forges = { gitlab, gitea, github } as const satisfies Readonly<Record<string, ForgeTraits>>;

export function forgeAround(variables: Variables): ForgeTraits | undefined {
  return Object.values<ForgeTraits>(forges).find((forge) => forge.isAround(variables));
}

/** Reads the facts of the run around us. The only place that decides which forge it is on. */
export function readRunContext(variables: Variables, event: EventFile): RunContext {
  const forge = forgeAround(variables);
  if (forge !== undefined) return forge.readRun(variables, event);
  return { kind: "local", reason: "this is not a workflow run (GITHUB_ACTIONS is not `true`)" };
}

export function linksOf(context: RunContext): Links {
  if (context.kind === "local") return {};
  const { kind, pullRequest, sha, url, label, filesUrl } = context;
  const { artifactsAnchor, takesAcceptances }: ForgeTraits = forges[kind];
  const isPullRequest = pullRequest.kind !== "none";
  const headSha = isPullRequest ? pullRequest.headSha : sha;
  return {
    runUrl: url,
    runLabel: label,
    headSha,
    // A checkout has the merge commit, unless the workflow asks for the head itself.
    files: { beforeCommit: filesUrl, commits: [sha, headSha] },
    ...defined({ artifactsAnchor, isPullRequest: takesAcceptances ? isPullRequest : undefined }),
  };
}

/**
 * The words that start this program once more where its report is read; `undefined` where it will be gone, as on a runner.
 *
 * @param path file that Node runs
 */
export function programOf(
  { kind }: Pick<RunContext, "kind">,
  path: string,
  { PATH = "" }: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  const [, folder = "", name = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  if (kind !== "local" || folder.includes("/_npx/")) return undefined;
  return name === "fastapi-loadtest" && PATH.split(":").includes(folder) ? [name] : ["node", path];
}
