import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { parseMarker, renderMarker } from "../../src/forge/comment-marker.ts";
import { type StandIn, startGitHub } from "../stand-in/github.ts";

const token = "ghs_workflowToken";
const bot = "github-actions[bot]";
const pullNumber = 7;
const headSha = "a".repeat(40);
const runNumber = 2;

/** GitHub with one pull request, for a report to be commented on. */
export function startGitHubOfOnePull(): Promise<StandIn> {
  return startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: bot, kind: "workflow", canWrite: true } },
    pulls: [{ number: pullNumber, state: "open", headSha, baseSha: "b".repeat(40) }],
  });
}

/** Adds the comment of the run before. */
export function addOldComment({ state }: StandIn): void {
  const marker = renderMarker({ reportId: "default", runNumber: runNumber - 1, attempt: 1, headSha });
  state.add({ pullNumber, login: bot, body: `${marker}\n## Load test of the run before` });
}

/** Variables of the step that reports, with its event below the folder. */
export async function reportVariables(folder: string, apiUrl: string): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true });
  const repo = { full_name: "octo/app" };
  const pull_request = {
    number: pullNumber,
    state: "open",
    head: { sha: headSha, repo },
    base: { sha: "b".repeat(40), repo },
  };
  const path = join(folder, "event.json");
  await writeFile(path, JSON.stringify({ action: "opened", number: pullNumber, pull_request }));
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: apiUrl,
    GITHUB_REPOSITORY: "octo/app",
    GITHUB_RUN_ID: "12",
    GITHUB_RUN_NUMBER: String(runNumber),
    GITHUB_SHA: "c".repeat(40),
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: path,
    GITHUB_TOKEN: token,
  };
}

/** In Markdown long names have breaks, and signs as numbers, so that a phone shows them whole. */
export function withWholeNames(markdown: string): string {
  return markdown
    .replaceAll("<wbr>", "")
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

/** Problems with the comments: there must be one, from this run, with all of these names. */
export function commentProblems(github: StandIn, names: readonly string[]): readonly string[] {
  const bodies = [...github.state.comments.values()].map(({ body }) => body);
  const body = withWholeNames(bodies[0] ?? "");
  const marker = parseMarker(body);
  const shown = marker === undefined || marker === "unknown" ? undefined : marker.runNumber;
  return [
    ...(bodies.length === 1 ? [] : [`${bodies.length} comments`]),
    ...(shown === runNumber ? [] : [`the comment is of run ${shown}`]),
    ...names.filter((name) => !body.includes(name)).map((name) => `the comment lacks ${name}`),
  ];
}
