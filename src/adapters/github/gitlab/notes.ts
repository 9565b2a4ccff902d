import * as z from "zod";
import type { GitLabJob } from "../../../github/gitlab-job.ts";
import { withoutQuickActions } from "../../../github/quick-actions.ts";
import type { Comment } from "../../../ports/forge.ts";
import { type GitHub, isAnswer } from "../comment-api.ts";
import { GitHubFailure } from "../request-failure.ts";
import { createGitLabClient, type GitLabClientOptions } from "./client.ts";

const noteSchema = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  system: z.boolean().default(false),
  author: z.object({ username: z.string() }).nullish(),
});
const userSchema = z.object({ username: z.string() });

/** GitLab lets nobody ask for more. */
const perPage = 100;
const mostPages = 100;

/** The notes of one merge request, as the comments that the rules of our marker are about. */
export function createMergeRequestNotes(
  job: Pick<GitLabJob, "apiUrl" | "projectId" | "projectUrl">,
  iid: number,
  options: Omit<GitLabClientOptions, "apiUrl">,
): GitHub {
  const client = createGitLabClient({ ...options, apiUrl: job.apiUrl });
  const notes = `/projects/${job.projectId}/merge_requests/${iid}/notes`;
  const findLogin = async () => {
    const { data } = await client.ask({ method: "GET", path: "/user" });
    return { login: inForm(userSchema, data).username, isCertain: true };
  };
  const toComment = ({ id, body, author }: z.infer<typeof noteSchema>): Comment => ({
    id,
    author: author?.username ?? "",
    body: body ?? "",
    url: `${job.projectUrl}/-/merge_requests/${iid}#note_${id}`,
  });
  return {
    pause: client.pause,
    findLogin,
    isLogin: async (login) => login === (await findLogin()).login,
    listComments: async () => {
      const found: Comment[] = [];
      let page: number | undefined = 1;
      for (let pages = 1; page !== undefined; pages++) {
        if (pages > mostPages)
          throw new GitHubFailure(`the merge request has more than ${mostPages} pages of notes`, undefined);
        const path = `${notes}?sort=asc&order_by=created_at&per_page=${perPage}&page=${page}`;
        const answer = await client.ask({ method: "GET", path });
        found.push(
          ...inForm(z.array(noteSchema), answer.data)
            .filter(({ system }) => !system)
            .map(toComment),
        );
        page = answer.nextPage;
      }
      return found.sort((one, other) => one.id - other.id);
    },
    createComment: async (_, text) => {
      const body = withoutQuickActions(text);
      const { data } = await client.ask({ method: "POST", path: notes, body: { body } });
      return toComment(inForm(noteSchema, data));
    },
    updateComment: async (id, text, isOnce = false) => {
      const body = withoutQuickActions(text);
      const repeats = isOnce ? "never" : "usual";
      await client.ask({ method: "PUT", path: `${notes}/${id}`, body: { body }, repeats });
    },
    deleteComment: async (id) => {
      try {
        await client.ask({ method: "DELETE", path: `${notes}/${id}` });
      } catch (error) {
        if (!isAnswer(error, 404)) throw error;
      }
    },
  };
}

/** An answer in another form, such as a proxy's page, is none. */
function inForm<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new GitHubFailure("the answer is not GitLab's", undefined);
  return parsed.data;
}
