import { github, readWorkflowRun } from "../github/github.ts";
import type { ForgeTraits } from "../run.ts";

/**
 * Gitea and Forgejo: GitHub's workflows and a part of its API, with other pages. A pull request from a fork runs only
 * once somebody has approved it, with a token that can write.
 */
export const gitea: ForgeTraits = {
  name: "Gitea",
  isAround: (variables) => {
    const { GITEA_ACTIONS, FORGEJO_ACTIONS, GITHUB_API_URL = "" } = variables;
    const isNamed = [GITEA_ACTIONS, FORGEJO_ACTIONS].includes("true");
    return github.isAround(variables) && (isNamed || /\/api\/v1\/*$/.test(GITHUB_API_URL));
  },
  readRun: (variables, event) => readWorkflowRun("gitea", "src/commit", variables, event),
  tokenVariables: ["GITHUB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"],
  noToken: github.noToken,
  remedy: github.remedy,
  takesAcceptances: true,
  lacks: {
    checkRuns: "this server has no check runs; the job fails instead",
    branches: "this server's API cannot write a branch as GitHub's can",
  },
};
