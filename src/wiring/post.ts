import type { Answer } from "../ports/forge.ts";
import type { PostPorts } from "../ports/post.ts";
import type { Shared } from "./shared.ts";

/** Ports of `post`. Loads GitHub's client. */
export async function postPorts({ environment, runner, terminal, signal }: Shared): Promise<PostPorts> {
  const { context, runOfEvent } = runner;
  const token = environment["GITHUB_TOKEN"];
  const output = {
    progress: terminal.progress,
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
  };
  if (context.kind === "local") return { ...output, ...nothingToPost(context.reason) };
  if (!token)
    return {
      ...output,
      ...nothingToPost("there is no token (GITHUB_TOKEN); give the action its `github-token`"),
    };
  const { apiUrl, repository, serverUrl } = context;
  const { createGitHub, createGitHubRun, upsertComment } = await import("../adapters/github/index.ts");
  const options = { apiUrl, token, repository, signal };
  const github = createGitHub(options);
  return {
    ...output,
    ...createGitHubRun(options),
    runOfEvent,
    linksOf: ({ id, runNumber, headSha }) => ({
      runUrl: `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${id}`,
      runLabel: `run ${runNumber}`,
      headSha,
    }),
    comment: (report) => upsertComment(github, { ...report, asker: "poster" }),
  };
}

/** Ports of a run that cannot ask GitHub. */
function nothingToPost(reason: string) {
  const nothing = { kind: "none", reason } as const;
  const noAnswer = async (): Promise<Answer<never>> => ({ kind: "no answer", outcome: nothing });
  return {
    runOfEvent: nothing,
    readRun: noAnswer,
    listPulls: noAnswer,
    listArtifacts: noAnswer,
    readArtifact: noAnswer,
    linksOf: () => ({}),
    comment: async () => nothing,
  };
}
