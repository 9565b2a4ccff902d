import { createHash } from "node:crypto";
import type { Json, JsonObject } from "./description.ts";

/** The part of a repository that the API's git operations see: files by path, commits, branches. */
export interface Git {
  /** Commit by name, e.g. `heads/main`. */
  readonly refs: Map<string, string>;
  readonly commits: Map<string, Commit>;
  readonly trees: Map<string, ReadonlyMap<string, string>>;
  readonly blobs: Map<string, string>;
}

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export function createGit(): Git {
  return { refs: new Map(), commits: new Map(), trees: new Map(), blobs: new Map() };
}

export const shaOf = (value: unknown) => createHash("sha1").update(JSON.stringify(value)).digest("hex");

export function addTree({ trees }: Git, files: ReadonlyMap<string, string>): string {
  const sha = shaOf([...files]);
  trees.set(sha, files);
  return sha;
}

/** Commits the files and lets the branch point there; returns the commit. */
export function addCommit(git: Git, name: string, files: Readonly<Record<string, string>>): string {
  const commit = { tree: addTree(git, new Map(Object.entries(files))), parents: [], message: "by hand" };
  const sha = shaOf(commit);
  git.commits.set(sha, commit);
  git.refs.set(name, sha);
  return sha;
}

/** Files of a branch; `undefined`: there is none. */
export function filesOf(
  { refs, commits, trees }: Git,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const commit = commits.get(refs.get(name) ?? "");
  return commit && Object.fromEntries(trees.get(commit.tree) ?? []);
}

export function refDocument(name: string, sha: string, url: string): JsonObject {
  const object = { type: "commit", sha, url: `${url}/git/commits/${sha}` };
  return { ref: `refs/${name}`, node_id: "UkVG", url: `${url}/git/refs/${name}`, object };
}

export function commitDocument(sha: string, { tree, parents, message }: Commit, url: string): JsonObject {
  const person = { date: "2026-01-01T00:00:00Z", name: "bot", email: "bot@example.org" };
  const addressed = (kind: string, each: string) => ({ sha: each, url: `${url}/git/${kind}/${each}` });
  return {
    ...addressed("commits", sha),
    node_id: "Q09N",
    html_url: `${url}/commit/${sha}`,
    author: person,
    committer: person,
    message,
    tree: addressed("trees", tree),
    parents: parents.map((each) => ({ ...addressed("commits", each), html_url: `${url}/commit/${each}` })),
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}

/** The files at the top; folders as trees without content of their own. */
export function treeDocument(git: Git, sha: string, url: string): JsonObject {
  const files = git.trees.get(sha) ?? new Map<string, string>();
  const names = [...new Set([...files.keys()].map((path) => path.split("/")[0] ?? ""))];
  const entries: Json[] = names.map((path) => {
    const content = files.get(path);
    const each = shaOf([path, content ?? "folder"]);
    if (content !== undefined) git.blobs.set(each, content);
    const isFile = content !== undefined;
    return {
      path,
      mode: isFile ? "100644" : "040000",
      type: isFile ? "blob" : "tree",
      sha: each,
      url: `${url}/git/${isFile ? "blobs" : "trees"}/${each}`,
    };
  });
  return { sha, url: `${url}/git/trees/${sha}`, truncated: false, tree: entries };
}

export function blobDocument(sha: string, text: string, url: string): JsonObject {
  const content = Buffer.from(text).toString("base64");
  const size = Buffer.byteLength(text);
  return { sha, node_id: "Qmxv", size, url: `${url}/git/blobs/${sha}`, content, encoding: "base64" };
}
