import { forges } from "../forge/forges.ts";
import { reasonNotToPost } from "../forge/posting/measured-run.ts";
import type { Answer } from "../ports/forge.ts";
import type { PostPorts } from "../ports/post.ts";
import type { Shared } from "./shared.ts";

/** Ports of `post`. Loads GitHub's client. */
export async function postPorts({ environment, runner, terminal, signal }: Shared): Promise<PostPorts> {
  const { context, runOfEvent } = runner;
  const output = {
    progress: terminal.progress,
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
  };
  if (!("repository" in context)) return { ...output, ...nothingToPost(reasonNotToPost(context)) };
  const { noToken, tokenVariables } = forges[context.kind];
  const { [tokenVariables[0]]: token } = environment;
  if (!token) return { ...output, ...nothingToPost(noToken) };
  const { apiUrl, repository, serverUrl } = context;
  const { createComments, createGitHubRun, poster, upsertComment } = await import(
    "../adapters/forge/index.ts"
  );
  const options = { apiUrl, token, repository, signal };
  const comments = createComments(options);
  return {
    ...output,
    ...createGitHubRun(options),
    runOfEvent,
    linksOf: ({ id, runNumber, headSha }) => ({
      runUrl: `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${id}`,
      runLabel: `run ${runNumber}`,
      headSha,
    }),
    comment: (report) => upsertComment(comments, { ...report, writer: poster, isPosted: true }),
  };
}

/** Ports of a run that can post nothing. */
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
