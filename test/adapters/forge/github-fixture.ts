import { type CommentRequest, upsertComment } from "../../../src/adapters/forge/comment.ts";
import type { GitHubOptions } from "../../../src/adapters/forge/github/client.ts";
import { createComments } from "../../../src/adapters/forge/github/comments.ts";
import { openForge } from "../../../src/adapters/forge/open-forge.ts";
import { type CommentState, renderMarker } from "../../../src/forge/comment-marker.ts";
import { github } from "../../../src/forge/github/github.ts";
import type { RunContext } from "../../../src/forge/run.ts";
import { type StandIn, type StandInOptions, startGitHub } from "../../stand-in/github.ts";

/** Parts that the tests of the comment share: accounts, a pull request, a run. */

export const workflow = "ghs_workflowToken";
export const readOnly = "ghs_readOnlyToken";
export const person = "ghp_personalToken";
export const app = "ghs_appToken";
export const bot = "github-actions[bot]";
export const pullNumber = 7;
export const headSha = "a".repeat(40);

export function startStandIn(options: Partial<StandInOptions> = {}): Promise<StandIn> {
  return startGitHub({
    owner: "octo",
    name: "app",
    accounts: {
      [workflow]: { login: bot, kind: "workflow", canWrite: true },
      [readOnly]: { login: bot, kind: "workflow", canWrite: false },
      [person]: { login: "octocat", kind: "user", canWrite: true },
      [app]: { login: "bench-app[bot]", kind: "workflow", canWrite: true },
    },
    pulls: [{ number: pullNumber, state: "open", headSha, baseSha: "b".repeat(40) }],
    ...options,
  });
}

export function stateOf(runNumber: number, changes: Partial<CommentState> = {}): CommentState {
  return { reportId: "default", runNumber, attempt: 1, headSha, ...changes };
}

export function bodyOf(state: CommentState): string {
  return `${renderMarker(state)}\n## Load test of run ${state.runNumber}`;
}

export interface Setting {
  readonly token?: string;
  readonly pause?: (ms: number) => Promise<void>;
  readonly client?: Partial<GitHubOptions>;
  readonly request?: Partial<CommentRequest>;
}

export const writer = { forge: github.name, remedy: github.remedy };

/** The forge around a run; waits take no time. */
export function forgeOf(run: RunContext, token: string | undefined = workflow) {
  return openForge(run, { GITHUB_TOKEN: token }, { pause: async () => {} });
}

/** Comments in the way of one run; waits take no time by default. */
export function comment({ apiUrl }: Pick<StandIn, "apiUrl">, state: CommentState, setting: Setting = {}) {
  const { token = workflow, pause = async () => {} } = setting;
  const repository = { owner: "octo", name: "app" };
  const api = createComments({ apiUrl, token, repository, pause, ...setting.client });
  const render = (marker: string) => `${marker}\n## Load test of run ${state.runNumber}`;
  return upsertComment(api, { pullNumber, writer, state, render, ...setting.request });
}

/** Authors and texts of all comments, oldest first. */
export function commentsOf({ state }: StandIn): readonly (readonly [login: string, body: string])[] {
  return [...state.comments.values()].map(({ login, body }) => [login, body]);
}
