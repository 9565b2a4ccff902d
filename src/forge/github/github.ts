import type { ForgeTraits } from "../run.ts";
import { readWorkflowRun } from "./workflow-run.ts";

export const github: ForgeTraits = {
  name: "GitHub",
  isAround: (variables) => variables["GITHUB_ACTIONS"] === "true",
  readRun: (variables, event) => readWorkflowRun("github", "blob", variables, event),
  tokenVariables: ["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN"],
  tokenStart: "gh[pousr]_|github_pat_",
  noToken: "there is no token (GITHUB_TOKEN); give the action its `github-token`",
  remedy:
    "Give the job this line: `permissions: { contents: read, pull-requests: write }`. (On pull requests by Dependabot " +
    "the token can only read.)",
  forkRemedy:
    "On a pull request from a fork the token can only read, whatever the workflow asks for; the job summary has the " +
    'report, and a second workflow that calls `post-report.yml` can comment it (README, "Pull requests from forks").',
  takesAcceptances: true,
};
