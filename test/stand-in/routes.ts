import * as z from "zod";
import type { Call } from "./call.ts";
import type { Reply } from "./contract.ts";
import type { JsonObject } from "./description.ts";
import {
  artifactDocument,
  checkRunDocument,
  commentDocument,
  createdReviewDocument,
  fileDocument,
  labellingDocument,
  listedPullDocument,
  permissionDocument,
  pullDocument,
  remarkDocument,
  reviewDocument,
  runDocument,
  userDocument,
} from "./documents.ts";
import { gitRoutes } from "./git-routes.ts";
import { refuse, reply } from "./replies.ts";

/** The operations. Requests were checked against the description before they come here. */

/** Path of the archives, outside of the API. */
export const archivePath = "/archives/";

const maxBodyLength = 65_536;

export function answer(call: Call): Reply {
  const { state, match } = call;
  const { owner, repo } = match.path;
  const isElsewhere = owner !== undefined && (owner !== state.owner || repo !== state.name);
  const route = routes[match.operation.operationId];
  return isElsewhere || route === undefined ? refuse(404, "Not Found") : route(call);
}

const routes: Readonly<Record<string, (call: Call) => Reply>> = {
  ...gitRoutes,

  "users/get-authenticated": ({ account }) =>
    account.kind === "workflow"
      ? refuse(403, "Resource not accessible by integration")
      : reply(200, userDocument(account)),

  "pulls/get": ({ state, match }) => {
    const pull = state.pulls.get(Number(match.path["pull_number"]));
    return pull === undefined ? refuse(404, "Not Found") : reply(200, pullDocument(pull));
  },

  "pulls/list": (call) => {
    const { state, request } = call;
    const { state: openness = "open", head } = request.query;
    const found = [...state.pulls.values()]
      .map((pull) => ({ pull, label: `${pull.fork?.owner ?? state.owner}:${pull.branch ?? "feature"}` }))
      .filter(
        ({ pull, label }) => (openness === "all" || pull.state === openness) && (!head || head === label),
      )
      .map(({ pull }) => listedPullDocument(pull, state));
    const { items, headers } = pageOf(call, found);
    return { status: 200, headers, body: items };
  },

  "pulls/list-reviews": (call) => {
    const { state } = call;
    const pullNumber = Number(call.match.path["pull_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    const all = state.reviews.filter((review) => review.pullNumber === pullNumber);
    const { items, headers } = pageOf(call, all);
    return { status: 200, headers, body: items.map((review) => reviewDocument(review, state)) };
  },

  "pulls/create-review": ({ state, account, match, request }) => {
    const pullNumber = Number(match.path["pull_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    if (!account.canWrite) return refuse(403, "Resource not accessible by integration");
    const { commit_id: commit, comments } = reviewForm.parse(JSON.parse(request.body));
    const review = { id: 80 + state.reviews.length, pullNumber, login: account.login, body: "", commit };
    state.reviews.push(review);
    for (const comment of comments)
      state.remarks.push({ id: 10 + state.remarks.length, pullNumber, commit, ...comment });
    return reply(200, createdReviewDocument(review, state));
  },

  "pulls/list-review-comments": (call) => {
    const pullNumber = Number(call.match.path["pull_number"]);
    if (!call.state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    const all = call.state.remarks.filter((remark) => remark.pullNumber === pullNumber);
    const { items, headers } = pageOf(call, all.map(remarkDocument));
    return { status: 200, headers, body: items };
  },

  "repos/get-content": ({ state: { git }, match, request }) => {
    const path = decodeURIComponent(match.path["path"] ?? "");
    const tree = git.commits.get(request.query["ref"] ?? "")?.tree;
    const text = git.trees.get(tree ?? "")?.get(path);
    return text === undefined ? refuse(404, "Not Found") : reply(200, fileDocument(path, text));
  },

  "repos/get-collaborator-permission-level": ({ state, match }) => {
    const login = decodeURIComponent(match.path["username"] ?? "");
    const role = state.roles.get(login);
    return role === undefined ? refuse(404, "Not Found") : reply(200, permissionDocument(login, role));
  },

  "repos/list-pull-requests-associated-with-commit": ({ state, match }) => {
    const commit = match.path["commit_sha"];
    const all = [...state.pulls.values()].filter((pull) => [pull.mergedAs, pull.headSha].includes(commit));
    return reply(
      200,
      all.map((pull) => listedPullDocument(pull, state)),
    );
  },

  "actions/get-workflow-run": ({ state, match }) => {
    const run = state.runs.get(Number(match.path["run_id"]));
    return run === undefined ? refuse(404, "Not Found") : reply(200, runDocument(run, state));
  },

  "actions/list-workflow-run-artifacts": (call) => {
    const runId = Number(call.match.path["run_id"]);
    if (!call.state.runs.has(runId)) return refuse(404, "Not Found");
    const all = [...call.state.artifacts.values()].filter((artifact) => artifact.runId === runId);
    const { items, headers } = pageOf(call, all.map(artifactDocument));
    return { status: 200, headers, body: { total_count: all.length, artifacts: items } };
  },

  // The archive itself lies elsewhere, at an address that is a key of its own.
  "actions/download-artifact": ({ state, match, apiUrl }) => {
    const artifact = state.artifacts.get(Number(match.path["artifact_id"]));
    if (artifact === undefined) return refuse(404, "Not Found");
    if (artifact.isExpired) return refuse(410, "Artifact has expired");
    const location = new URL(`${archivePath}${artifact.id}`, apiUrl).href;
    return { status: 302, headers: { location }, body: undefined };
  },

  "checks/create": ({ state, account, request }) => {
    if (!account.canWrite) return refuse(403, "Resource not accessible by integration");
    const check: JsonObject = JSON.parse(request.body);
    state.checks.push(check);
    return reply(201, checkRunDocument(check, state));
  },

  "issues/list-comments": (call) => {
    const { state, request, apiUrl } = call;
    const pullNumber = Number(call.match.path["issue_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    const { since = "" } = request.query;
    const all = [...state.comments.values()].filter(
      (comment) => comment.pullNumber === pullNumber && comment.updatedAt >= since,
    );
    const { items, headers } = pageOf(call, all);
    return { status: 200, headers, body: items.map((comment) => commentDocument(comment, state, apiUrl)) };
  },

  "issues/list-events": (call) => {
    const { state, match } = call;
    const pullNumber = Number(match.path["issue_number"]);
    if (!state.pulls.has(pullNumber)) return refuse(404, "Not Found");
    const all = state.labellings.filter((each) => each.pullNumber === pullNumber);
    const { items, headers } = pageOf(call, all.map(labellingDocument));
    return { status: 200, headers, body: items };
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

const reviewForm = z.object({
  commit_id: z.string(),
  event: z.literal("COMMENT"),
  comments: z.array(
    z.strictObject({ path: z.string(), line: z.int(), side: z.string(), body: z.string().min(1) }),
  ),
});

/** One page of a list, with GitHub's links to the others. */
function pageOf<T>({ request, apiUrl }: Call, all: readonly T[]) {
  const { page = "1", per_page = "30" } = request.query;
  const size = Math.min(Number(per_page), 100);
  const last = Math.ceil(all.length / size);
  const start = (Number(page) - 1) * size;
  // GitHub's own links name the repository by number.
  const path = request.path.replace(/^\/repos\/[^/]+\/[^/]+\//, "/repositories/1/");
  const linkTo = (target: number, name: string) =>
    `<${apiUrl}${path}?per_page=${size}&page=${target}>; rel="${name}"`;
  const links = [
    ...(Number(page) > 1 ? [linkTo(Number(page) - 1, "prev"), linkTo(1, "first")] : []),
    ...(Number(page) < last ? [linkTo(Number(page) + 1, "next"), linkTo(last, "last")] : []),
  ];
  const headers: Record<string, string> = links.length === 0 ? {} : { link: links.join(", ") };
  return { items: all.slice(start, start + size), headers };
}

/** The common part of the two writing operations: permission and text. */
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
