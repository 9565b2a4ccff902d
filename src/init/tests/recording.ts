import * as z from "zod";
import { methods } from "../../model/endpoint/endpoint.ts";
import { jsonOf } from "../../text/json.ts";
import { visibleLine } from "../../text/visible.ts";

/** A request that a test sent to the app. All of it is foreign text. */
const requestSchema = z.object({
  kind: z.literal("request"),
  test: z.string(),
  method: z.enum(methods),
  path: z.string().startsWith("/"),
  query: z.string(),
  /** Template of the route, if the framework named one. */
  route: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  status: z.int(),
  reply: z.string(),
  /** Cookies that the reply sets, each as a whole header. */
  cookies: z.array(z.string()),
  /** Dependencies that the test replaced, as `module:name`. */
  overrides: z.array(z.string()),
  /** Numbers of the rows that existed when it was sent. */
  rows: z.array(z.int()),
  /** Numbers of what the replaced dependencies returned. */
  values: z.array(z.int()),
});
export type TestRequest = z.infer<typeof requestSchema>;

const rowSchema = z.object({
  kind: z.literal("row"),
  number: z.int(),
  /** Equal for versions of the same row. */
  key: z.string(),
  sql: z.string(),
  test: z.string(),
});
export type TestRow = z.infer<typeof rowSchema>;

/** Statements of the file of rows, with where they come from. */
export type WrittenRow = Pick<TestRow, "sql" | "test">;

const replacementSchema = z.object({
  kind: z.literal("replacement"),
  number: z.int(),
  /** The replaced dependency, as `module:name`. */
  name: z.string().regex(/^[\w.]{1,200}:[\w.]{1,100}$/),
  /** Python that makes what the replacement returned. */
  source: z.string().regex(/^[ -~]{1,1000}$/),
  /** What the source needs, as `module:name`; a module without a name as a whole. */
  imports: z.array(z.string().regex(/^[\w.]{1,200}:\w{0,100}$/)).max(20),
});
export type Replacement = z.infer<typeof replacementSchema>;

const lineSchema = z.discriminatedUnion("kind", [
  requestSchema,
  rowSchema,
  replacementSchema,
  z.object({
    ...{ kind: z.literal("outcome"), passed: z.int(), failed: z.int(), first: z.string() },
    missing: z.array(z.string().regex(/^\w{1,100}$/)),
  }),
  z.object({ kind: z.literal("refused"), reason: z.string() }),
]);

/** What the tests did, as far as they ran. */
export interface Recording {
  readonly requests: readonly TestRequest[];
  readonly rows: ReadonlyMap<number, TestRow>;
  readonly replacements: ReadonlyMap<number, Replacement>;
  readonly passed: number;
  readonly failed: number;
  /** What the first failure says; empty without one. */
  readonly first: string;
  /** Modules that any of them did not find. */
  readonly missing: readonly string[];
  /** Reason why no test was run; `undefined`: they were. */
  readonly refused: string | undefined;
}

/** Reads the recorder's lines. One that was cut off, or that a test wrote, is left out. */
export function readRecording(text: string): Recording {
  const lines = text.split("\n").flatMap((line) => lineSchema.safeParse(jsonOf(line)).data ?? []);
  const outcome = lines.findLast((line) => line.kind === "outcome");
  return {
    requests: lines.filter((line) => line.kind === "request"),
    rows: new Map(lines.flatMap((line) => (line.kind === "row" ? [[line.number, line] as const] : []))),
    replacements: new Map(
      lines.flatMap((line) => (line.kind === "replacement" ? [[line.number, line] as const] : [])),
    ),
    passed: outcome?.passed ?? 0,
    failed: outcome?.failed ?? 0,
    first: outcome?.first ?? "",
    missing: outcome?.missing ?? [],
    refused: lines.find((line) => line.kind === "refused")?.reason,
  };
}

/** Later rows get numbers that are free. */
export const numbersGoOn = [
  "DO $$ DECLARE each record;",
  "BEGIN FOR each IN SELECT s.oid::regclass AS s, t.oid::regclass AS t, a.attname AS a FROM pg_class s",
  "  JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') JOIN pg_class t ON t.oid = d.refobjid",
  "  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid WHERE s.relkind = 'S'",
  "LOOP EXECUTE format('SELECT setval(%L, COALESCE((SELECT max(%I) FROM %s), 0) + 1, false)', each.s, each.a, each.t);",
  "END LOOP;",
  "END $$;",
].join("\n");

/** The name of the file of rows, also of one that an earlier `init` wrote. */
export const rowsFile = "loadtest-rows.sql";

const about = "-- What `init` adds to the database, and why. Change it as you like.";

/** An SQL file of rows, with the test that each comes from. @param before the file that they are added to */
export function renderRows(rows: readonly WrittenRow[], before = about): string {
  const lines = rows.flatMap(({ test, sql }, index) =>
    rows[index - 1]?.test === test ? [sql] : ["", `-- ${visibleLine(test)}`, sql],
  );
  const present = before.replaceAll(numbersGoOn, "").trimEnd();
  return [present, ...lines, "", numbersGoOn, ""].join("\n");
}

/** The statement of a row, so that its result says if the row is new; `undefined` for any other statement. */
export function insertOf({ sql }: WrittenRow): string | undefined {
  return sql.startsWith("INSERT INTO ") ? sql.replace(/;$/, " RETURNING 1") : undefined;
}
