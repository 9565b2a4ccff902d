import { readLogs, readPageScript } from "../adapters/files/index.ts";
import { sendMetrics } from "../adapters/otlp/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { GitLabJob } from "../github/gitlab-job.ts";
import type { RunContext, WorkflowRun } from "../github/run-context.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import type { Links } from "../report/links.ts";
import { otlpSettings } from "../report/metrics/otlp-settings.ts";
import { commentUntil } from "./comment.ts";
import { pageScriptPath } from "./places.ts";
import type { Shared } from "./shared.ts";

export function reportPorts(
  { resultsFolder }: Pick<Reporting, "resultsFolder">,
  shared: Shared,
): ReportPorts {
  const { environment, runner, terminal, signal } = shared;
  const results = openResultsFolder(resultsFolder);
  const token = environment["GITHUB_TOKEN"];
  return {
    progress: terminal.progress,
    links: linksOf(runner.context, runner.gitlab),
    terminal,
    readPlan: () => results.read("plan.json"),
    readCells: () => results.readCells(),
    readLogs: (paths) => Promise.resolve(paths.flatMap(readLogs)),
    readPageScript: () => readPageScript(pageScriptPath),
    save: (name, text) => results.write(name, text),
    addSummary: runner.addSummary,
    comment: (report) => commentUntil(signal, report, shared),
    readAcceptances: async () => {
      const { readAcceptances } = await import("../adapters/github/index.ts");
      return readAcceptances(runner.context, token, { signal });
    },
    readMergedAcceptances: async () => {
      const { readMergedAcceptances } = await import("../adapters/github/index.ts");
      return readMergedAcceptances(runner.context, token, { signal });
    },
    checkCommit: async (check) => {
      const { checkCommit } = await import("../adapters/github/index.ts");
      return checkCommit(runner.context, token, check, { signal });
    },
    keepHistory: async (branch, make) => {
      const { keepHistory } = await import("../adapters/github/index.ts");
      return keepHistory(runner.context, token, branch, make, { signal });
    },
    sendMetrics: async (make) => {
      const choice = otlpSettings(environment);
      if (choice.kind === "off") return { kind: "none" };
      if (choice.kind === "problem") return { kind: "failed", reason: choice.reason };
      const { resource, ...receiver } = choice.settings;
      return sendMetrics(receiver, JSON.stringify(make({ resource, nowMs: Date.now() })), { signal });
    },
    annotate: runner.annotate,
    setOutputs: runner.setOutputs,
    print: (text) => terminal.finish(text),
  };
}

/** Links that a report of this run uses. */
export function linksOf(context: RunContext, gitlab?: GitLabJob): Links {
  if (gitlab !== undefined) return linksOfGitLab(gitlab);
  if (context.kind === "local") return {};
  const { pullRequest, sha, runNumber, url } = context;
  const isPullRequest = pullRequest.kind !== "none";
  const headSha = isPullRequest ? pullRequest.headSha : sha;
  return {
    runUrl: url,
    runLabel: `run ${runNumber}`,
    headSha,
    // A checkout has the merge commit, unless the workflow asks for the head itself.
    files: { beforeCommit: filesBefore(context), commits: [sha, headSha] },
    isPullRequest,
  };
}

function linksOfGitLab({ pullRequest, sha, pipelineNumber, pipelineUrl, projectUrl }: GitLabJob): Links {
  const headSha = pullRequest.kind === "none" ? sha : pullRequest.headSha;
  return {
    runUrl: pipelineUrl,
    runLabel: `pipeline ${pipelineNumber}`,
    headSha,
    files: { beforeCommit: `${projectUrl}/-/blob/`, commits: [sha, headSha] },
  };
}

/** Where GitHub, Gitea and Forgejo show files, up to the commit. */
function filesBefore({ serverUrl, repository: { owner, name }, isGitea = false }: WorkflowRun): string {
  return `${serverUrl}/${owner}/${name}/${isGitea ? "src/commit" : "blob"}/`;
}
