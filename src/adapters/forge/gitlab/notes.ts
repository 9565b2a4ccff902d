import * as z from "zod";
import { gitlab, withoutQuickActions } from "../../../forge/gitlab/gitlab.ts";
import type { GitLabJob } from "../../../forge/run.ts";
import type { Comment } from "../../../ports/forge.ts";
import type { CommentApi } from "../comment.ts";
import { RequestFailure } from "../failure.ts";
import { type ApiOptions, createApi } from "../requests.ts";

const noteSchema = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  system: z.boolean().default(false),
  author: z.object({ username: z.string() }).nullish(),
});
const userSchema = z.object({ username: z.string() });

/** GitLab sends no more. */
const perPage = "100";
const mostPages = 100;

/** The notes of one merge request, as the comments that the rules of our marker are about. */
export function createNotes(
  job: Pick<GitLabJob, "projectId" | "projectUrl">,
  iid: number,
  options: ApiOptions,
): CommentApi {
  const headers = { "private-token": options.token, accept: "application/json" };
  // The token goes nowhere else: fetch would take this header along.
  const { send, pause } = createApi({ name: gitlab.name, headers, redirect: "error" }, options);
  const path = `/projects/${job.projectId}/merge_requests/${iid}/notes`;
  const findLogin = async () => {
    const { data } = await send(userSchema, { method: "GET", path: "/user" });
    return { login: data.username, isCertain: true };
  };
  const toComment = ({ id, body, author }: z.infer<typeof noteSchema>): Comment => ({
    id,
    author: author?.username ?? "",
    body: body ?? "",
    url: `${job.projectUrl}/-/merge_requests/${iid}#note_${id}`,
  });
  return {
    pause,
    findLogin,
    isLogin: async (login) => login === (await findLogin()).login,
    listComments: async () => {
      const found: Comment[] = [];
      let page = "1";
      for (let pages = 1; /^[1-9]\d{0,6}$/.test(page); pages++) {
        if (pages > mostPages)
          throw new RequestFailure(`the merge request has more than ${mostPages} pages of notes`);
        const query = { sort: "asc", order_by: "created_at", per_page: perPage, page };
        const answer = await send(z.array(noteSchema), { method: "GET", path, query });
        found.push(...answer.data.filter(({ system }) => !system).map(toComment));
        page = answer.headers["x-next-page"] ?? "";
      }
      return found.sort((one, other) => one.id - other.id);
    },
    createComment: async (_, text) => {
      const body = { body: withoutQuickActions(text) };
      return toComment((await send(noteSchema, { method: "POST", path, body })).data);
    },
    updateComment: async (id, text, repeats) => {
      const body = { body: withoutQuickActions(text) };
      await send(z.unknown(), { method: "PUT", path: `${path}/${id}`, body, repeats });
    },
    deleteComment: async (id) => {
      await send(z.unknown(), { method: "DELETE", path: `${path}/${id}` });
    },
  };
}
