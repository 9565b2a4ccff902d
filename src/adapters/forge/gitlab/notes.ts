import * as z from "zod";
import { withoutQuickActions } from "../../../forge/gitlab/gitlab.ts";
import type { GitLabJob } from "../../../forge/run.ts";
import { defined } from "../../../lists/defined.ts";
import type { Comment } from "../../../ports/forge.ts";
import { jsonOf } from "../../../text/json.ts";
import { within } from "../../process/index.ts";
import type { CommentApi } from "../comment.ts";
import {
  bodyWithin,
  pauseUntil,
  type Refusal,
  type Repeats,
  RequestFailure,
  unanswered,
  withRetries,
} from "../requests.ts";

export interface GitLabOptions {
  /** e.g. `https://gitlab.com/api/v4`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly pause?: (ms: number) => Promise<void>;
  readonly timeoutMs?: number;
  /** Ends the current request and all waiting; absent when nobody cancels. */
  readonly signal?: AbortSignal;
}

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
export function createNotes(
  job: Pick<GitLabJob, "projectId" | "projectUrl">,
  iid: number,
  options: GitLabOptions,
): CommentApi {
  const client = createGitLabClient(options);
  const notes = `/projects/${job.projectId}/merge_requests/${iid}/notes`;
  const findLogin = async () => {
    const { data } = await client.ask("GET", "/user");
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
          throw new RequestFailure(`the merge request has more than ${mostPages} pages of notes`);
        const query = `sort=asc&order_by=created_at&per_page=${perPage}&page=${page}`;
        const answer = await client.ask("GET", `${notes}?${query}`);
        const written = inForm(z.array(noteSchema), answer.data).filter(({ system }) => !system);
        found.push(...written.map(toComment));
        page = answer.nextPage;
      }
      return found.sort((one, other) => one.id - other.id);
    },
    createComment: async (_, text) => {
      const { data } = await client.ask("POST", notes, { body: withoutQuickActions(text) });
      return toComment(inForm(noteSchema, data));
    },
    updateComment: async (id, text, repeats) => {
      await client.ask("PUT", `${notes}/${id}`, { body: withoutQuickActions(text) }, repeats);
    },
    deleteComment: async (id) => {
      await client.ask("DELETE", `${notes}/${id}`);
    },
  };
}

/** An answer in another form, such as a proxy's page, is none. */
function inForm<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new RequestFailure("the answer is not GitLab's");
  return parsed.data;
}

interface GitLabAnswer {
  readonly data: unknown;
  /** Number of the next page of a list; `undefined` at its end. */
  readonly nextPage: number | undefined;
}

/** Far above a hundred notes of ours. */
const mostBytes = 150_000_000;

/** GitLab's API with a limit for each request, which is sent again where that is safe. Rejects with `RequestFailure`. */
export function createGitLabClient(options: GitLabOptions) {
  const { apiUrl, token, signal, timeoutMs = 15_000, pause = pauseUntil(signal) } = options;
  return { ask, pause };

  /** @param path below the API's address, with its query */
  function ask(method: string, path: string, body?: object, repeats?: Repeats): Promise<GitLabAnswer> {
    const access = { forge: "GitLab", token, pause, signal };
    return withRetries(
      { method, path: path.replace(/\?.*/, ""), repeats },
      access,
      () => within({ ms: timeoutMs, signal }, (until) => askOnce(method, path, body, until)),
      (error) => (error instanceof Refused ? error.refusal : unanswered(error)),
    );
  }

  async function askOnce(method: string, path: string, body: object | undefined, until: AbortSignal) {
    const headers = {
      "private-token": token,
      accept: "application/json",
      "user-agent": "fastapi-loadtest-action",
      ...defined({ "content-type": body && "application/json" }),
    };
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers,
      ...defined({ body: body && JSON.stringify(body) }),
      redirect: "error", // the token goes nowhere else
      signal: until,
    });
    const whole = await bodyWithin(response.body, mostBytes);
    if (whole === undefined) throw new Error(`the answer has more than ${mostBytes} bytes`);
    const data = jsonOf(whole.toString("utf8"));
    const { "x-next-page": next, ...others } = Object.fromEntries(response.headers);
    if (!response.ok)
      throw new Refused({ status: response.status, headers: others, message: messageIn(data) });
    return { data, nextPage: next !== undefined && /^[1-9]\d{0,6}$/.test(next) ? Number(next) : undefined };
  }
}

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super();
    this.refusal = refusal;
  }
}

const explained = z.object({ message: z.string().optional(), error: z.string().optional() });

function messageIn(data: unknown): string {
  const { message, error } = explained.safeParse(data).data ?? {};
  return message ?? error ?? "";
}
