import type { ForgeTraits } from "../run.ts";
import { readWorkflowRun } from "./workflow-run.ts";

export const github: ForgeTraits = {
  name: "GitHub",
  isAround: (variables) => variables["GITHUB_ACTIONS"] === "true",
  readRun: (variables, event) => readWorkflowRun("github", "blob", variables, event),
  tokenVariables: ["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN"],
  tokenStart: "gh[pousr]_|github_pat_",
  noToken: "there is no token (GITHUB_TOKEN); set the action's input `github-token`",
  remedy:
    "Add this to the job: `permissions: { contents: read, pull-requests: write }`. (On pull requests by Dependabot " +
    "the token is read-only.)",
  forkRemedy:
    "On a pull request from a fork the token is read-only, whatever the workflow requests. The job summary has the " +
    "report, and a second workflow that calls `post-report.yml` can post it (docs/comment.md#pull-requests-from-forks).",
  takesAcceptances: true,
};
