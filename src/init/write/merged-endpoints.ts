import { isMap, isScalar, isSeq, parse } from "yaml";

/** An endpoint that cannot be measured yet, as `init` shows it: `#  - POST /items # needs a login`. */
const shown = /^ {0,4}# {2}- (.{1,4000}?) # ./;

/** The lines above `endpoints` where there are none to list. */
export const emptyList = {
  unread:
    "# The app could not be imported here. `auto`: when it is measured, every GET of its OpenAPI document is requested.",
  silent:
    "# No endpoint answers here yet. Fix what is missing, or list those that answer; until then `auto` applies.",
  key: "# endpoints:",
} as const;

interface Renewed {
  readonly text: string;
  /** Those that were only shown before. */
  readonly open: ReadonlySet<string>;
  /** Lines of those that still are, for a file that had no list; absent: it had one. */
  readonly others?: readonly string[];
}

/**
 * An existing file without the comments of ours on endpoints that can be measured by now, and with what is wrong with the
 * others today.
 *
 * @param written the file that would be written if there were none
 */
export function withNewComments(present: string, written: string): Renewed {
  const now = new Map(
    written.split("\n").flatMap((line) => named(line).map((name) => [name, line] as const)),
  );
  const measured = new Set(endpointsIn(parse(written)).map(nameOf));
  const open = new Set<string>();
  const lines = present.split("\n").flatMap((line) => {
    const [name] = named(line);
    if (name === undefined) return [line];
    if (!measured.has(name))
      return [(now.get(name) ?? line).replace(/^ */, line.slice(0, line.indexOf("#")))];
    open.add(name);
    return [];
  });
  const isEmpty = (line: string) => line === emptyList.unread || line === emptyList.silent;
  if (measured.size === 0 || !lines.some(isEmpty)) return { text: lines.join("\n"), open };
  const rest = lines.filter(
    (line, index) =>
      named(line).length === 0 &&
      !isEmpty(line) &&
      !(line === emptyList.key && lines[index - 1] === emptyList.silent),
  );
  return { text: rest.join("\n"), open, others: [...now.values()] };
}

/** Adds those of a new list that were only shown before. Returns whether there were any. */
export function addOpened(before: unknown, made: unknown, open: ReadonlySet<string>): boolean {
  if (!isSeq(before) || !isSeq(made)) return false;
  const opened = made.items.filter((each) =>
    open.has(nameOf(isScalar(each) || isMap(each) ? each.toJSON() : each)),
  );
  before.items.push(...opened);
  return opened.length > 0;
}

function endpointsIn(file: unknown): readonly unknown[] {
  const { endpoints } = Object(file) as { readonly endpoints?: unknown };
  return Array.isArray(endpoints) ? endpoints : [];
}

/** The endpoint of a comment; none for any other line. */
function named(line: string): readonly string[] {
  const [, value] = shown.exec(line) ?? [];
  if (value === undefined) return [];
  try {
    return [nameOf(parse(value))];
  } catch {
    return []; // its value has such a sign itself
  }
}

/** `GET /items` for `/items`, and for `{ path: /items }`. */
function nameOf(value: unknown): string {
  const { path, method = "GET" } = Object(value) as { readonly path?: unknown; readonly method?: unknown };
  const line = typeof value === "string" ? value : `${method} ${path}`;
  return line.startsWith("/") ? `GET ${line}` : line;
}
