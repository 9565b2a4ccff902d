import type { Match, Reply, Request } from "./contract.ts";
import type { Json } from "./description.ts";
import { commentDocument, pullDocument, userDocument } from "./documents.ts";
import type { Account, State } from "./state.ts";

/** What each operation does. Requests were held against the description before they come here. */

export interface Call {
  readonly state: State;
  readonly account: Account;
  readonly match: Match;
  readonly request: Request;
  /** Where the API is reached, with its prefix. */
  readonly apiUrl: string;
}

const maxBodyLength = 65_536;

export function answer(call: Call): Reply {
  const { state, match } = call;
  const { owner, repo } = match.path;
  const isElsewhere = owner !== undefined && (owner !== state.owner || repo !== state.name);
  const route = routes[match.operation.operationId];
  return isElsewhere || route === undefined ? refuse(404, "Not Found") : route(call);
}

/** An error as GitHub words it. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const documentation = { documentation_url: "https://docs.github.com/rest", status: String(status) };
  return { status, headers, body: { message, ...documentation } };
}

const routes: Readonly<Record<string, (call: Call) => Reply>> = {
  "users/get-authenticated": ({ account }) =>
    account.kind === "workflow"
      ? refuse(403, "Resource not accessible by integration")
      : reply(200, userDocument(account)),

  "pulls/get": ({ state, match }) => {
    const pull = state.pulls.get(Number(match.path["pull_number"]));
    return pull === undefined ? refuse(404, "Not Found") : reply(200, pullDocument(pull));
  },

  "issues/list-comments": (call) => {
    const { state, request, apiUrl } = call;
    const pullNumber = Number(call.match.path["issue_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    const { since = "", page = "1", per_page = "30" } = request.query;
    const all = [...state.comments.values()].filter(
      (comment) => comment.pullNumber === pullNumber && comment.updatedAt >= since,
    );
    const size = Math.min(Number(per_page), 100);
    const last = Math.ceil(all.length / size);
    const start = (Number(page) - 1) * size;
    const body = all.slice(start, start + size).map((comment) => commentDocument(comment, state, apiUrl));
    // GitHub's own links name the repository by number.
    const linkTo = (target: number, name: string) =>
      `<${apiUrl}/repositories/1/issues/${pullNumber}/comments?per_page=${size}&page=${target}>; rel="${name}"`;
    const links = [
      ...(Number(page) > 1 ? [linkTo(Number(page) - 1, "prev"), linkTo(1, "first")] : []),
      ...(Number(page) < last ? [linkTo(Number(page) + 1, "next"), linkTo(last, "last")] : []),
    ];
    return { status: 200, headers: links.length === 0 ? {} : { link: links.join(", ") }, body };
  },

  "issues/create-comment": (call) => {
    const { state, match, account, apiUrl } = call;
    const pullNumber = Number(match.path["issue_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    return withText(call, (body) => {
      const document = commentDocument(state.add({ pullNumber, login: account.login, body }), state, apiUrl);
      return { status: 201, headers: { location: String(document["url"]) }, body: document };
    });
  },

  "issues/get-comment": ({ state, match, apiUrl }) => {
    const comment = state.comments.get(Number(match.path["comment_id"]));
    return comment === undefined
      ? refuse(404, "Not Found")
      : reply(200, commentDocument(comment, state, apiUrl));
  },

  "issues/update-comment": (call) => {
    const { state, match, apiUrl } = call;
    return withText(call, (body) => {
      const comment = state.change(Number(match.path["comment_id"]), body);
      return comment === undefined
        ? refuse(404, "Not Found")
        : reply(200, commentDocument(comment, state, apiUrl));
    });
  },

  "issues/delete-comment": ({ state, match, account }) => {
    if (!account.canWrite) return refuse(403, "Resource not accessible by integration");
    return state.remove(Number(match.path["comment_id"])) ? reply(204, undefined) : refuse(404, "Not Found");
  },
};

/** What the two writing operations share: who may write, and what. */
function withText({ account, request }: Call, write: (body: string) => Reply): Reply {
  if (!account.canWrite) return refuse(403, "Resource not accessible by integration");
  const { body }: { readonly body?: unknown } = JSON.parse(request.body);
  if (typeof body !== "string" || body.trim() === "") return invalid("body cannot be blank");
  if (body.length > maxBodyLength)
    return invalid(`body is too long (maximum is ${maxBodyLength} characters)`);
  return write(body);
}

function invalid(message: string): Reply {
  const errors = [{ resource: "IssueComment", code: "unprocessable", field: "data", message }];
  const documentation_url = "https://docs.github.com/rest/issues/comments";
  return reply(422, { message: "Validation Failed", errors, documentation_url });
}

function reply(status: number, body: Json | undefined): Reply {
  return { status, headers: {}, body };
}
