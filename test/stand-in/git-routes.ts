import * as z from "zod";
import type { Call } from "./call.ts";
import type { Reply } from "./contract.ts";
import { addTree, blobDocument, commitDocument, type Git, refDocument, shaOf, treeDocument } from "./git.ts";
import { refuse, reply } from "./replies.ts";

/** The git operations: commits are made of trees, and a branch only ever moves forward. */
export const gitRoutes: Readonly<Record<string, (call: Call) => Reply>> = {
  "git/get-ref": (call) => {
    const name = decodeURIComponent(call.match.path["ref"] ?? "");
    const sha = call.state.git.refs.get(name);
    return sha === undefined ? refuse(404, "Not Found") : reply(200, refDocument(name, sha, urlOf(call)));
  },

  "git/get-commit": (call) => {
    const sha = call.match.path["commit_sha"] ?? "";
    const commit = call.state.git.commits.get(sha);
    return commit === undefined
      ? refuse(404, "Not Found")
      : reply(200, commitDocument(sha, commit, urlOf(call)));
  },

  "git/get-tree": (call) =>
    reply(200, treeDocument(call.state.git, call.match.path["tree_sha"] ?? "", urlOf(call))),

  "git/get-blob": (call) => {
    const sha = call.match.path["file_sha"] ?? "";
    const text = call.state.git.blobs.get(sha);
    return text === undefined ? refuse(404, "Not Found") : reply(200, blobDocument(sha, text, urlOf(call)));
  },

  "git/create-tree": writing((call) => {
    const { git } = call.state;
    const { base_tree, tree } = treeForm.parse(JSON.parse(call.request.body));
    const files = new Map(git.trees.get(base_tree ?? ""));
    for (const { path, content } of tree) files.set(path, content);
    return reply(201, treeDocument(git, addTree(git, files), urlOf(call)));
  }),

  "git/create-commit": writing((call) => {
    const { git } = call.state;
    const commit = commitForm.parse(JSON.parse(call.request.body));
    const sha = shaOf([commit, git.commits.size]);
    git.commits.set(sha, commit);
    return reply(201, commitDocument(sha, commit, urlOf(call)));
  }),

  "git/create-ref": writing((call) => {
    const { git } = call.state;
    const { ref, sha } = refForm.parse(JSON.parse(call.request.body));
    const name = ref.replace(/^refs\//, "");
    if (git.refs.has(name)) return refuse(422, "Reference already exists");
    git.refs.set(name, sha);
    return reply(201, refDocument(name, sha, urlOf(call)));
  }),

  "git/update-ref": writing((call) => {
    const { git } = call.state;
    const name = decodeURIComponent(call.match.path["ref"] ?? "");
    const { sha, force } = moveForm.parse(JSON.parse(call.request.body));
    if (!force && !isAfter(git, sha, git.refs.get(name))) return refuse(422, "Update is not a fast forward");
    git.refs.set(name, sha);
    return reply(200, refDocument(name, sha, urlOf(call)));
  }),
};

const treeForm = z.object({
  base_tree: z.string().optional(),
  tree: z.array(z.object({ path: z.string(), content: z.string() })),
});
const commitForm = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
});
const refForm = z.object({ ref: z.string(), sha: z.string() });
const moveForm = z.object({ sha: z.string(), force: z.boolean().default(false) });

function isAfter({ commits }: Pick<Git, "commits">, sha: string, before: string | undefined): boolean {
  if (sha === before) return true;
  return commits.get(sha)?.parents.some((parent) => isAfter({ commits }, parent, before)) ?? false;
}

function writing(write: (call: Call) => Reply): (call: Call) => Reply {
  return (call) =>
    call.account.canWrite ? write(call) : refuse(403, "Resource not accessible by integration");
}

function urlOf({ apiUrl, state }: Call): string {
  return `${apiUrl}/repos/${state.owner}/${state.name}`;
}
