import { createServer } from "node:http";

import { findGitLabOperation, problemsOfGitLabReply, problemsOfGitLabRequest } from "./gitlab-operations.ts";

/** A stand-in for GitLab's API on loopback. Each request and each reply is held against GitLab's own description. */

export interface Note {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly system: boolean;
}

export interface GitLabStandIn extends AsyncDisposable {
  readonly apiUrl: string;
  readonly notes: Map<number, Note>;
  readonly violations: readonly string[];
  readonly requests: readonly string[];
  /** Answers the next requests with these statuses instead; 0: with none at all. */
  readonly faults: number[];
  add(note: Omit<Note, "id" | "system"> & { readonly system?: boolean }): Note;
}

export const projectId = 42;
export const iid = 7;
export const token = "glpat-standIn";
export const reader = "glpat-reader";
export const bot = "project_42_bot_load";

export async function startGitLab(pageSize = 100): Promise<GitLabStandIn> {
  const all = new Map<number, Note>();
  const violations: string[] = [];
  const requests: string[] = [];
  const faults: number[] = [];
  let lastId = 1_000;
  const add: GitLabStandIn["add"] = ({ author, body, system = false }) => {
    lastId += 3;
    const note = { id: lastId, author, body, system };
    all.set(note.id, note);
    return note;
  };

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
      const line = `${incoming.method} ${url.pathname}${url.search}`;
      requests.push(line);
      const fault = faults.shift();
      if (fault === 0) return void outgoing.destroy();
      const found = findGitLabOperation(incoming.method ?? "", url.pathname);
      const tell = (problems: readonly string[]) =>
        violations.push(...problems.map((problem) => `${line}: ${problem}`));
      const send = (status: number, data?: unknown, headers: Record<string, string> = {}) => {
        if (found !== undefined) tell(problemsOfGitLabReply(found.operation, status, data));
        outgoing.writeHead(status, { "content-type": "application/json", ...headers });
        outgoing.end(data === undefined ? undefined : JSON.stringify(data));
      };
      if (found === undefined) {
        tell(["GitLab has no such operation, or it is not listed"]);
        return send(404, { error: "404 Not Found" });
      }
      const text = Buffer.concat(chunks).toString("utf8");
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const method = incoming.method ?? "";
      tell(problemsOfGitLabRequest(found, { method, url, body, headers: incoming.headers }));
      if (fault !== undefined) return send(fault, { message: `${fault} of a test` });
      const given = incoming.headers["private-token"];
      if (given !== token && given !== reader) return send(401, { message: "401 Unauthorized" });
      const { name, values } = found;
      if (name === "readUser") return send(200, { id: 1, username: bot });
      if (Number(values["id"]) !== projectId || Number(values["noteable_id"]) !== iid)
        return send(404, { message: "404 Not found" });
      if (method !== "GET" && given === reader) return send(403, { message: "403 Forbidden" });
      const written = typeof body === "object" && body !== null && "body" in body ? String(body.body) : "";
      const note = all.get(Number(values["note_id"]));
      switch (name) {
        case "listNotes": {
          const page = Number(url.searchParams.get("page") ?? 1);
          const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 20));
          const listed = [...all.values()].slice((page - 1) * size, page * size);
          const next = page * size < all.size ? String(page + 1) : "";
          return send(200, listed.map(documentOf), { "x-next-page": next });
        }
        case "createNote":
          return send(201, documentOf(add({ author: bot, body: written })));
        default: {
          if (note === undefined) return send(404, { message: "404 Not found" });
          if (name === "deleteNote") {
            all.delete(note.id);
            return send(204);
          }
          all.set(note.id, { ...note, body: written });
          return send(200, documentOf({ ...note, body: written }));
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return {
    apiUrl: `http://127.0.0.1:${address.port}/api/v4`,
    notes: all,
    violations,
    requests,
    faults,
    add,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function documentOf({ id, author, body, system }: Note) {
  return {
    id,
    body,
    system,
    author: { id: 1, username: author },
    noteable_iid: iid,
    noteable_type: "MergeRequest",
  };
}
