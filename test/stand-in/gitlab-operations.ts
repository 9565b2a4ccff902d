/**
 * The operations of GitLab's API that we use, as GitLab's own description has them: doc/api/openapi/openapi_v3.yaml of
 * gitlabhq/gitlabhq, read at GitLab 19.5. `gitlab-description.test.ts` compares this table with that file.
 */
export interface GitLabOperation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With the description's own names of parameters. */
  readonly path: string;
  readonly pathForms: Readonly<Record<string, Form>>;
  readonly query: Readonly<Record<string, Form>>;
  /** `undefined`: none. */
  readonly body: Body | undefined;
  /** Status of a success. */
  readonly status: number;
  /** Where the description has another one than GitLab's code. */
  readonly describedStatus?: number;
  /** Statuses of refusals that this operation describes; `commonRefusals` come besides. */
  readonly refusals: readonly number[];
  /** Schema of the reply, or of an item of it. */
  readonly reply: "note" | "user" | undefined;
}

export interface Body {
  readonly required: readonly string[];
  readonly fields: Readonly<Record<string, Form>>;
}

/** A list: one of its words. */
export type Form = "text" | "integer" | "boolean" | readonly string[];

const notes = "/api/v4/projects/{id}/merge_requests/{noteable_id}/notes";
const note = `${notes}/{note_id}`;
const inMergeRequest = { id: "text", noteable_id: "integer" } as const;
const ofNote = { ...inMergeRequest, note_id: "integer" } as const;
const noteRefusals = [400, 404] as const;

export const gitLabOperations = {
  readUser: {
    ...{ method: "GET", path: "/api/v4/user", pathForms: {}, query: {}, body: undefined },
    ...{ status: 200, refusals: [401, 403], reply: "user" },
  },
  listNotes: {
    ...{ method: "GET", path: notes, pathForms: inMergeRequest },
    query: {
      order_by: ["created_at", "updated_at"],
      sort: ["asc", "desc"],
      activity_filter: ["all_notes", "only_comments", "only_activity"],
      page: "integer",
      per_page: "integer",
    },
    ...{ body: undefined, status: 200, refusals: noteRefusals, reply: "note" },
  },
  createNote: {
    ...{ method: "POST", path: notes, pathForms: inMergeRequest, query: {} },
    body: {
      required: ["body"],
      fields: {
        body: "text",
        confidential: "boolean",
        internal: "boolean",
        created_at: "text",
        merge_request_diff_head_sha: "text",
      },
    },
    ...{ status: 201, refusals: noteRefusals, reply: "note" },
  },
  updateNote: {
    ...{ method: "PUT", path: note, pathForms: ofNote, query: {} },
    body: { required: [], fields: { body: "text", confidential: "boolean" } },
    ...{ status: 200, refusals: noteRefusals, reply: "note" },
  },
  deleteNote: {
    ...{ method: "DELETE", path: note, pathForms: ofNote, query: {}, body: undefined },
    ...{ status: 204, describedStatus: 200, refusals: noteRefusals, reply: undefined },
  },
} as const satisfies Readonly<Record<string, GitLabOperation>>;

/** What our program reads of a reply, by its schema. */
export const repliedFields = {
  note: ["id", "body", "system", "author"],
  user: ["username"],
} as const;

/** Refusals that GitLab answers everywhere, and describes for some operations only. */
const commonRefusals: readonly number[] = [401, 403, 429, 500, 502, 503, 504];

export interface GitLabRequest {
  readonly method: string;
  readonly url: URL;
  /** `undefined`: none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export type OperationName = keyof typeof gitLabOperations;

export interface Found {
  readonly name: OperationName;
  readonly operation: GitLabOperation;
  readonly values: Readonly<Record<string, string>>;
}

/** The operation of a request; `undefined` if the table has none of this method and path. */
export function findGitLabOperation(method: string, path: string): Found | undefined {
  for (const name of names()) {
    const operation = gitLabOperations[name];
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (operation.method === method && match !== null)
      return { name, operation, values: { ...match.groups } };
  }
  return undefined;
}

function names(): OperationName[] {
  return Object.keys(gitLabOperations).filter((name): name is OperationName => name in gitLabOperations);
}

/** What the description does not allow in this request. */
export function problemsOfGitLabRequest({ operation, values }: Found, request: GitLabRequest): string[] {
  const { headers, body, url } = request;
  const parameters = Object.fromEntries(url.searchParams);
  return [
    ...problemsIn("path", operation.pathForms, values),
    ...problemsIn("query", operation.query, parameters),
    ...problemsOfBody(operation.body, body),
    ...(body === undefined || headers["content-type"] === "application/json"
      ? []
      : [`the body's type is ${headers["content-type"]}`]),
    ...(headers["user-agent"] ? [] : ["there is no user-agent"]),
  ];
}

/** What the description does not say of this reply. */
export function problemsOfGitLabReply(
  { refusals, reply, status: expected }: GitLabOperation,
  status: number,
  data: unknown,
): string[] {
  if (status !== expected)
    return [...refusals, ...commonRefusals].includes(status) ? [] : [`status ${status} is not described`];
  if (reply === undefined) return data === undefined ? [] : ["a body is not described"];
  const items: unknown[] = Array.isArray(data) ? data : [data];
  return items.flatMap((item) =>
    repliedFields[reply]
      .filter((field) => !isObject(item) || !(field in item))
      .map((field) => `the reply lacks ${field}`),
  );
}

function problemsOfBody(described: Body | undefined, body: unknown): string[] {
  if (described === undefined) return body === undefined ? [] : ["a body is not described"];
  if (!isObject(body)) return ["the body is no object"];
  return [
    ...described.required.filter((name) => !(name in body)).map((name) => `the body lacks ${name}`),
    ...problemsIn("body", described.fields, body),
  ];
}

function problemsIn(
  place: string,
  forms: Readonly<Record<string, Form>>,
  values: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) return [`${place}: ${name} is not described`];
    return fits(form, value) ? [] : [`${place}: ${name} is ${JSON.stringify(value)}`];
  });
}

function fits(form: Form, value: unknown): boolean {
  if (form === "boolean") return typeof value === "boolean";
  if (typeof value !== "string") return false;
  if (form === "text") return true;
  return form === "integer" ? /^\d+$/.test(value) : form.includes(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
