import * as z from "zod";
import type { RepositoryName } from "../../github/run-context.ts";
import type { Comment } from "../../ports/forge.ts";
import { ask, createClient, pauseUntil } from "./client.ts";
import { pagesOf } from "./pages.ts";
import { GitHubFailure } from "./request-failure.ts";

/** Our requests to GitHub. Every method rejects with `GitHubFailure`. */
export interface GitHub {
  /** Name under which the token writes; `isCertain` when the server itself names it. */
  findLogin(): Promise<{ readonly login: string; readonly isCertain: boolean }>;
  /** True when GitHub says that the token writes under this name; `false` also when it cannot be asked. */
  isLogin(login: string): Promise<boolean>;
  /** All comments of a pull request, oldest first. */
  listComments(pullNumber: number): Promise<readonly Comment[]>;
  createComment(pullNumber: number, body: string): Promise<Comment>;
  /** With `isOnce` a failed request is not sent again: the comment may have a newer text by then. */
  updateComment(id: number, body: string, isOnce?: boolean): Promise<void>;
  /** A comment that is gone already is fine. */
  deleteComment(id: number): Promise<void>;
  pause(ms: number): Promise<void>;
}

export interface GitHubOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: RepositoryName;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between tries; tests replace it. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Limit for one request. */
  readonly timeoutMs?: number;
  /** Ends everything when somebody cancels. */
  readonly signal?: AbortSignal;
}

const commentSchema = z.object({
  id: z.int().positive(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(), // null: the account was deleted
});
const userSchema = z.object({ login: z.string() });
const viewerSchema = z.object({ data: z.object({ viewer: userSchema }) });

export function createGitHub(options: GitHubOptions): GitHub {
  const { apiUrl, token, signal, timeoutMs = 15_000, fetch = globalThis.fetch } = options;
  const pause = options.pause ?? pauseUntil(signal);
  const client = createClient({ apiUrl, token, pause, timeoutMs, fetch, signal });
  const repository = { owner: options.repository.owner, repo: options.repository.name };
  const comments = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const comment = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
  return {
    pause,
    findLogin: async () => {
      try {
        const { login } = (await ask(client, userSchema, "GET /user")).data;
        return { login, isCertain: true };
      } catch (error) {
        // A workflow's own token belongs to no user, so GitHub refuses. Its comments come from this account.
        if (isAnswer(error, 403) || isAnswer(error, 404))
          return { login: "github-actions[bot]", isCertain: false };
        throw error;
      }
    },
    isLogin: async (login) => {
      try {
        // Unlike the REST API, this one tells an app's token, and a workflow's own, its name.
        const question = {
          baseUrl: apiUrl.replace(/\/api\/v3$/, "/api"),
          query: "query { viewer { login } }",
        };
        const { data } = await ask(client, viewerSchema, "POST /graphql", question, "safe");
        const found = data.data.viewer.login;
        return withoutSuffix(found) === withoutSuffix(login);
      } catch (error) {
        if (error instanceof GitHubFailure) return false;
        throw error;
      }
    },
    listComments: async (pullNumber) => {
      const parameters = { ...repository, issue_number: pullNumber };
      const listOf = z.array(commentSchema);
      const found: Comment[] = [];
      for await (const page of pagesOf(client, { route: `GET ${comments}`, parameters, listOf }))
        found.push(...page.map(toComment));
      return found.sort((one, other) => one.id - other.id);
    },
    createComment: async (pullNumber, body) => {
      const parameters = { ...repository, issue_number: pullNumber, body };
      return toComment((await ask(client, commentSchema, `POST ${comments}`, parameters)).data);
    },
    updateComment: async (id, body, isOnce = false) => {
      const request = isOnce ? { request: { repeats: "never" } } : {};
      await client.request(`PATCH ${comment}`, { ...repository, comment_id: id, body, ...request });
    },
    deleteComment: async (id) => {
      try {
        await client.request(`DELETE ${comment}`, { ...repository, comment_id: id });
      } catch (error) {
        if (!isAnswer(error, 404)) throw error;
      }
    },
  };
}

/** GitHub writes a bot's name with or without `[bot]`, depending on the place. */
function withoutSuffix(login: string): string {
  return login.replace(/\[bot\]$/, "");
}

/** True when GitHub gave this answer, and not because of too many requests. */
export function isAnswer(error: unknown, status: number): boolean {
  return error instanceof GitHubFailure && error.answer === status && !error.isLimit;
}

function toComment({ id, body, user, html_url: url }: z.infer<typeof commentSchema>): Comment {
  return { id, author: user?.login ?? "", body: body ?? "", url };
}
