import { createServer } from "node:http";

/**
 * A stand-in for GitLab's API on loopback. Requests are held against what GitLab's own OpenAPI description
 * (doc/api/openapi/openapi_v3.yaml of its repository) says of these operations: their paths, parameters and bodies.
 */
interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly query: Readonly<Record<string, RegExp>>;
  /** Required fields of the body; `undefined`: it has none. */
  readonly body: readonly string[] | undefined;
  readonly status: number;
}

const number = /^\d+$/;
const notes = "/api/v4/projects/(?<id>\\d+)/merge_requests/(?<iid>\\d+)/notes";
const operations: Readonly<Record<string, Operation>> = {
  getApiV4User: { method: "GET", path: /^\/api\/v4\/user$/, query: {}, body: undefined, status: 200 },
  getNotes: {
    method: "GET",
    path: new RegExp(`^${notes}$`),
    query: {
      order_by: /^(?:created_at|updated_at)$/,
      sort: /^(?:asc|desc)$/,
      activity_filter: /^(?:all_notes|only_comments|only_activity)$/,
      page: number,
      per_page: number,
    },
    body: undefined,
    status: 200,
  },
  postNotes: { method: "POST", path: new RegExp(`^${notes}$`), query: {}, body: ["body"], status: 201 },
  putNote: {
    method: "PUT",
    path: new RegExp(`^${notes}/(?<note>\\d+)$`),
    query: {},
    body: ["body"],
    status: 200,
  },
  deleteNote: {
    method: "DELETE",
    path: new RegExp(`^${notes}/(?<note>\\d+)$`),
    query: {},
    body: undefined,
    status: 204,
  },
};

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
      const send = (status: number, data?: unknown, headers: Record<string, string> = {}) => {
        outgoing.writeHead(status, { "content-type": "application/json", ...headers });
        outgoing.end(data === undefined ? undefined : JSON.stringify(data));
      };
      if (fault !== undefined) return send(fault, { message: `${fault} of a test` });
      const found = Object.values(operations).find(
        ({ method, path }) => method === incoming.method && path.test(url.pathname),
      );
      if (found === undefined) {
        violations.push(`${line}: GitLab has no such operation, or it is not listed here`);
        return send(404, { error: "404 Not Found" });
      }
      const text = Buffer.concat(chunks).toString("utf8");
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      violations.push(...problemsOf(found, url, body, incoming.headers).map((each) => `${line}: ${each}`));
      const given = incoming.headers["private-token"];
      if (given !== token && given !== reader) return send(401, { message: "401 Unauthorized" });
      if (url.pathname === "/api/v4/user") return send(200, { id: 1, username: bot });
      const groups = found.path.exec(url.pathname)?.groups ?? {};
      if (Number(groups["id"]) !== projectId || Number(groups["iid"]) !== iid)
        return send(404, { message: "404 Not found" });
      if (found.method !== "GET" && given === reader) return send(403, { message: "403 Forbidden" });
      const written = typeof body === "object" && body !== null && "body" in body ? String(body.body) : "";
      const note = all.get(Number(groups["note"]));
      switch (found) {
        case operations["getNotes"]: {
          const page = Number(url.searchParams.get("page") ?? 1);
          const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 20));
          const listed = [...all.values()].slice((page - 1) * size, page * size);
          const next = page * size < all.size ? String(page + 1) : "";
          return send(200, listed.map(documentOf), { "x-next-page": next });
        }
        case operations["postNotes"]:
          return send(201, documentOf(add({ author: bot, body: written })));
        default: {
          if (note === undefined) return send(404, { message: "404 Not found" });
          if (found.method === "DELETE") {
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

function problemsOf(
  { query, body: wanted }: Operation,
  url: URL,
  body: unknown,
  headers: NodeJS.Dict<string | string[]>,
): string[] {
  const parameters = [...url.searchParams].flatMap(([name, value]) =>
    query[name]?.test(value) ? [] : [`the parameter ${name}=${value} is not described`],
  );
  const fields = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const allowed = [...(wanted ?? []), "internal", "created_at"];
  return [
    ...parameters,
    ...(wanted === undefined && body !== undefined ? ["a body is not described"] : []),
    ...(wanted ?? []).filter((name) => !fields.includes(name)).map((name) => `the body lacks ${name}`),
    ...fields.filter((name) => !allowed.includes(name)).map((name) => `the field ${name} is not described`),
    ...(body === undefined || headers["content-type"] === "application/json"
      ? []
      : ["the body's type is wrong"]),
    ...(headers["user-agent"] ? [] : ["there is no user-agent"]),
  ];
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
