import type { Reply } from "../../endpoints/dry-request.ts";
import { memberOf, resolved } from "../../endpoints/openapi-schema.ts";
import { jsonOf } from "../../text/json.ts";

/** A column of the seeded database. */
export interface DatabaseColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

const mostValues = 50;

/**
 * Queries that may give a path parameter's values, likeliest first: `/notes/{note_id}` is the key of `notes`,
 * `/users/{name}` its column, and `/{shop}/notes` what `shops` are called by.
 */
export function queriesFor(
  path: string,
  name: string,
  columns: readonly DatabaseColumn[],
): readonly string[] {
  const nouns = nounsOf(path, name);
  const wanted = columnNames(path, name);
  const fit = columns.flatMap((each) => {
    const place = nouns.findIndex((noun) => tableFits(each.table, noun));
    const names = nouns[place] === inSnakeCase(name) ? [...new Set([...wanted, ...called])] : wanted;
    const rank = names.indexOf(each.column.toLowerCase());
    return place < 0 || rank < 0 ? [] : [{ ...each, rank: place * 10 + rank }];
  });
  return fit
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, 6)
    .map((each) => `SELECT ${quoted(each.column)} FROM ${placeOf(each)} ORDER BY 1 LIMIT 1000`);
}

/** A column that says whose a row is. */
const isOfOwner =
  /^(?:user|owner|author|creator|created_by|member|customer|account)(?:_?(?:id|uuid))?$|^(?:user|owner|author|creator|member|customer|account)Id$/;

/**
 * Queries for such values that belong to an account, by a column that says whose a row is, in the table itself or in one
 * that links both: others' rows may be nothing that it can see.
 *
 * @param account query for the account's key
 */
export function ownQueriesFor(
  path: string,
  name: string,
  columns: readonly DatabaseColumn[],
  account: string,
): readonly string[] {
  const nouns = nounsOf(path, name);
  const names = columnNames(path, name);
  const links = [inSnakeCase(name), ...nouns.map((noun) => `${singular(noun)}_id`)].filter((each) =>
    /._(?:id|uuid)$/.test(each),
  );
  return columns
    .filter(({ column }) => isOfOwner.test(column))
    .flatMap((owner) => {
      const siblings = columns.filter(
        ({ schema, table }) => schema === owner.schema && table === owner.table,
      );
      const isItself = nouns.some((noun) => tableFits(owner.table, noun));
      const key = [...(isItself ? names : []), ...links]
        .flatMap((wanted) => siblings.filter(({ column }) => column.toLowerCase() === wanted))
        .find(({ column }) => column !== owner.column);
      const where = `${quoted(owner.column)} = (${account})`;
      if (key === undefined) return [];
      return [`SELECT ${quoted(key.column)} FROM ${placeOf(key)} WHERE ${where} ORDER BY 1 LIMIT 1000`];
    })
    .slice(0, 4);
}

/** Queries for the key of the account with such a name, likeliest first; none for a name that SQL might take for more. */
export function accountQueries(name: string, columns: readonly DatabaseColumn[]): readonly string[] {
  if (!isSafeName(name)) return [];
  return columns
    .filter(isAccountName)
    .flatMap((each) => {
      const key = ["id", "user_id", "uuid", "account_id", "uid"].find((wanted) =>
        columns.some(({ table, column }) => table === each.table && column === wanted),
      );
      return key === undefined
        ? []
        : [`SELECT ${quoted(key)} FROM ${placeOf(each)} WHERE ${quoted(each.column)} = '${name}'`];
    })
    .slice(0, 6);
}

/** True where SQL takes it for nothing but a text. */
export function isSafeName(name: string): boolean {
  return /^[\w.@+-]{1,100}$/.test(name);
}

/** True for a column by which accounts are called. */
export function isAccountName({ table, column }: DatabaseColumn): boolean {
  return /user|account|member/i.test(table) && /^(?:user_?name|e?mail|login)$/i.test(column);
}

/** A table in SQL. */
export function placeOf({ schema, table }: DatabaseColumn): string {
  return schema === "public" ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}

/** Columns by which a path calls a row when it says no more than the table's name. */
const called = ["slug", "id", "uuid", "name"];

/** Values of a parameter in the reply of the list next to it: `/notes` for `/notes/{note_id}`. */
export function valuesInList(path: string, name: string, reply: unknown): readonly (string | number)[] {
  const rows = rowsIn(reply);
  for (const key of columnNames(path, name)) {
    const values = rows.map((row) => memberOf(row, key)).filter((each) => isValue(each));
    if (values.length > 0) return [...new Set(values)].slice(0, mostValues);
  }
  const plain = rows.filter((each) => isValue(each));
  return [...new Set(plain)].slice(0, mostValues);
}

/** The addresses of the list that a path's last parameter is an element of. */
export function listPaths(path: string): readonly string[] {
  const before = path.slice(0, path.lastIndexOf("{")).replace(/\/+$/, "");
  return before === "" ? [] : [before, `${before}/`, before.replace(/[^/]+$/, (noun) => plural(noun))];
}

/** The rows in a reply; none without a list. */
function rowsIn(reply: unknown): readonly unknown[] {
  return listIn(reply) ?? [];
}

/** Envelopes around a list: `{ "status": "ok", "result": { "books": [] } }`. */
const mostEnvelopes = 2;

/** The reply itself when it is a list, else its first field that is one, or that holds one. */
function listIn(reply: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(reply)) return reply;
  if (typeof reply !== "object" || reply === null || depth === mostEnvelopes) return undefined;
  const own = Object.values(reply).find((each) => Array.isArray(each));
  if (Array.isArray(own)) return own;
  for (const each of Object.values(reply)) {
    const found = listIn(each, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for a list without rows, in envelopes or not. */
export function isEmptyList(reply: unknown): boolean {
  return listIn(reply)?.length === 0;
}

function isValue(value: unknown): value is string | number {
  if (typeof value === "number") return true;
  return typeof value === "string" && value !== "" && value.length < 200 && !value.includes("/");
}

/** The nouns of a parameter: the word before it in the path, and that of its own name. */
function nounsOf(path: string, name: string): readonly string[] {
  const own = inSnakeCase(name).replace(/_?(?:id|uuid|slug|name|key|pk)$/i, "");
  return [own, beforeIn(path, name)]
    .filter((each) => each !== "")
    .map((each) => each.toLowerCase().replaceAll("-", "_"));
}

/** The last plain word before a parameter, other than its own name: `users` of `/users/by-email/{email}`. */
function beforeIn(path: string, name: string): string {
  const parts = path
    .slice(0, path.indexOf(`{${name}}`))
    .toLowerCase()
    .split("/");
  const own = name.toLowerCase();
  const words = parts.filter((part) => part !== "" && !part.includes("{"));
  return words.findLast((part) => part.replace(/^by[-_]/, "") !== own) ?? "";
}

function columnNames(path: string, name: string): readonly string[] {
  const lower = inSnakeCase(name);
  const [, last = lower] = /_([a-z]+)$/.exec(lower) ?? [];
  const isKey = /(?:^|_)(?:id|pk|uuid|key)$/.test(lower) || singular(beforeIn(path, name)) === lower;
  return [...new Set([lower, name.toLowerCase(), last, ...(isKey ? ["id", "uuid"] : [])])];
}

/** `noteId` is `note_id`. */
function inSnakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

function tableFits(table: string, noun: string): boolean {
  const plain = table.toLowerCase();
  return [noun, plural(noun), singular(noun)].some(
    (each) =>
      plain === each || plain.endsWith(`_${each}`) || plain.replaceAll("_", "") === each.replaceAll("_", ""),
  );
}

function plural(noun: string): string {
  if (noun.endsWith("s")) return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function singular(noun: string): string {
  if (noun.endsWith("ies")) return `${noun.slice(0, -3)}y`;
  return noun.endsWith("s") ? noun.slice(0, -1) : noun;
}

/** A name in SQL. */
export function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && name !== "user" && name !== "order" && name !== "group"
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

/** Two values of a parameter that no row has. */
type Guess = readonly [name: string, first: string | number, second: string | number];

/** Guesses for the parameters of a path; `undefined` when one is neither a number nor free text. */
export function guessesFor(
  document: unknown,
  path: string,
  names: readonly string[],
): readonly Guess[] | undefined {
  const guesses = names.flatMap((name): readonly Guess[] => {
    const schema = schemaOf(document, path, name);
    const type = memberOf(schema, "type");
    if (type === "integer" || type === "number") return [[name, 1, 987_654_321]];
    const isFree = ["format", "pattern", "enum"].every((each) => memberOf(schema, each) === undefined);
    return type === "string" && isFree ? [[name, "loadtest", "load-987654321"]] : [];
  });
  return guesses.length === names.length ? guesses : undefined;
}

function schemaOf(document: unknown, path: string, name: string): unknown {
  const item = memberOf(memberOf(document, "paths"), path);
  const parameters = [memberOf(item, "parameters"), memberOf(memberOf(item, "get"), "parameters")].flatMap(
    (each) => (Array.isArray(each) ? each : []),
  );
  const parameter = parameters
    .map((each: unknown) => resolved(document, each))
    .find((each) => memberOf(each, "name") === name);
  return resolved(document, memberOf(parameter, "schema"));
}

/**
 * True when an endpoint that answered a guess needs no other row: it has nothing for the other guess, so the first one
 * exists, or it has an answer for any value. A first reply without content may mean that there is no such row.
 */
export function isAnswerToAll(first: Reply, second: Reply | string, guesses: readonly Guess[]): boolean {
  if (typeof second === "string") return false;
  if (second.status === 404) return true;
  // An envelope around nothing is the same for both.
  const isEmpty = first.body === second.body && leavesOf(contentOf(first.body)).includes(null);
  return !isEmpty && hasContent(first, guesses);
}

/** True when a reply to the first guess contains more than the value that was requested. */
function hasContent({ body }: Reply, guesses: readonly Guess[]): boolean {
  const requested = new Set(guesses.map(([, first]) => String(first)));
  const leaves = leavesOf(contentOf(body));
  const own = leaves.filter((each) => !requested.has(String(each)));
  const full = own.filter((each) => each !== null && each !== "");
  return full.length > 0 || (own.length === 0 && leaves.length > 0);
}

/** The text itself when it is no JSON. */
function contentOf(body: string): unknown {
  const value = jsonOf(body);
  return value === undefined ? body : value;
}

/** Everything in a value that has no parts; an empty list or object counts as nothing. */
function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  const parts = Object.values(value);
  return parts.length === 0 ? [null] : parts.flatMap(leavesOf);
}
