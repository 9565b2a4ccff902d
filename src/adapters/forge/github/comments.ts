import * as z from "zod";
import type { Comment } from "../../../ports/forge.ts";
import type { CommentApi } from "../comment.ts";
import { isAnswer, RequestFailure } from "../failure.ts";
import { createClient, type GitHubOptions } from "./client.ts";

const commentSchema = z.object({
  id: z.int().positive(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(), // null: the account was deleted
});
const userSchema = z.object({ login: z.string() });
const viewerSchema = z.object({ data: z.object({ viewer: userSchema }) });

const comments = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const comment = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

export function createComments(options: GitHubOptions): CommentApi {
  const { send, pages, pause } = createClient(options);
  return {
    pause,
    findLogin: async () => {
      try {
        return { login: (await send(userSchema, "GET /user")).login, isCertain: true };
      } catch (error) {
        // A workflow's own token belongs to no user, so GitHub refuses. Its comments come from this account.
        if (isAnswer(error, 403, 404)) return { login: "github-actions[bot]", isCertain: false };
        throw error;
      }
    },
    isLogin: async (login) => {
      try {
        // Unlike the REST API, this one knows the name of an app's token, and of a workflow's own.
        const route = `POST ${options.apiUrl.replace(/\/api\/v3$/, "/api")}/graphql`;
        const body = { query: "query { viewer { login } }" };
        const { data } = await send(viewerSchema, route, {}, { body, repeats: "safe" });
        return withoutSuffix(data.viewer.login) === withoutSuffix(login);
      } catch (error) {
        if (error instanceof RequestFailure) return false;
        throw error;
      }
    },
    listComments: async (pullNumber) => {
      const found: Comment[] = [];
      for await (const page of pages(z.array(commentSchema), `GET ${comments}`, { issue_number: pullNumber }))
        found.push(...page.map(toComment));
      return found.sort((one, other) => one.id - other.id);
    },
    createComment: async (pullNumber, body) =>
      toComment(
        await send(commentSchema, `POST ${comments}`, { issue_number: pullNumber }, { body: { body } }),
      ),
    updateComment: async (id, body, repeats) => {
      await send(z.unknown(), `PATCH ${comment}`, { comment_id: id }, { body: { body }, repeats });
    },
    deleteComment: async (id) => {
      await send(z.unknown(), `DELETE ${comment}`, { comment_id: id });
    },
  };
}

/** GitHub writes a bot's name with or without `[bot]`, depending on the place. */
function withoutSuffix(login: string): string {
  return login.replace(/\[bot\]$/, "");
}

function toComment({ id, body, user, html_url: url }: z.infer<typeof commentSchema>): Comment {
  return { id, author: user?.login ?? "", body: body ?? "", url };
}
