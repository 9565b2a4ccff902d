import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOf, type ScriptState, type SeedText, seedScript } from "../../../src/model/seed/seed-script.ts";

const ground = {
  ...{ database: "ours", user: "loadtest", major: 15, isPrepared: true, schemas: [] },
  ...{ roles: new Map([["loadtest", true]]), extensions: new Map<string, boolean>() },
};

function stateWith(files: Readonly<Record<string, string>> = {}): ScriptState {
  const include = (name: string): SeedText | string => {
    const text = files[name];
    return text === undefined ? "is not there" : { path: name, text, line: 1 };
  };
  return { ground, include, variables: new Map(), left: new Map() };
}

const scriptOf = (text: string, state = stateWith()) => seedScript({ path: "a.sql", text, line: 1 }, state);

test("rows are cut out, and commands of psql", () => {
  const text =
    "\\restrict x\nCOPY t FROM stdin;\n1\ta;b\n\\N\t\\\\\n\\.\n\nCOPY u FROM stdin;\n\\.\nSELECT 1 \\g\n";
  expect(scriptOf(text)).toMatchObject({
    text: "\nCOPY t FROM stdin;\n\n\nCOPY u FROM stdin;\n\nSELECT 1 ;\n",
    rows: ["1\ta;b\n\\N\t\\\\\n", ""],
  });
});

test("each place of a script is known by its file and line", () => {
  const files = { "b.sql": "-- one\nSELECT 'b';\n\\ir c.sql\nSELECT 'b2';", "c.sql": "\nSELECT 'c';" };
  const text = "SELECT 'a';\nCOPY t FROM stdin;\n1\n2\n\\.\n\\ir b.sql\nSELECT 'a2';\\q\nSELECT 'never';";
  const script = scriptOf(text, stateWith(files));
  const found = ["'a'", "COPY", "'b'", "'c'", "'b2'", "'a2'"].map((word) =>
    Object.values(lineOf(script, script.text.indexOf(word)) ?? {}).join(":"),
  );
  expect(found).toEqual(["a.sql:1", "a.sql:2", "b.sql:2", "c.sql:2", "b.sql:4", "a.sql:7"]);
  expect(script.text).not.toContain("never");
  expect(lineOf(scriptOf(""), 0)).toBeUndefined();
});

test("what this server lacks is left out and counted", () => {
  const state = stateWith();
  const { text } = scriptOf("ALTER TABLE a OWNER TO x;\nSELECT 1;ALTER TABLE b OWNER TO x;", state);
  expect(text).toBe("\nSELECT 1;");
  expect([...state.left]).toEqual([["OWNER TO x", 2]]);
});

test("what a dump drops first need not be there", () => {
  const text = "DROP TABLE t;\n";
  expect(scriptOf(`--\n-- PostgreSQL database dump\n--\n\n${text}`).text).toContain(
    "DROP TABLE IF EXISTS t;",
  );
  expect(scriptOf(`-- our own\n${text}`).text).toContain("DROP TABLE t;");
});

test("variables are filled in, also where another part has set them", () => {
  const state = stateWith();
  scriptOf("\\set n 3\n", state);
  expect(scriptOf("SELECT :n;", state).text).toBe("SELECT 3;");
});

test("ours stands for the one database that a file connects to", () => {
  expect(scriptOf("\\c postgres\nCREATE DATABASE h;\n\\c h\nSELECT 1;\n\\c h\n").text.trim()).toBe(
    "SELECT 1;",
  );
  expect(() => scriptOf("\\c h\n\n\\c other\n")).toThrow(
    "a.sql, line 3: \\connect leads to a second database; dump one of them with pg_dump",
  );
});

test.for([
  ["SELECT 1;\n\\! id", "a.sql, line 2: \\! is not run"],
  ["\\ir x.sql", "a.sql, line 1: x.sql is not there"],
  ["\n\\ir self.sql", "self.sql, line 1: self.sql includes itself"],
] as const)("%j is refused with its line", ([text, problem]) => {
  expect(() => scriptOf(text, stateWith({ "self.sql": "\\ir self.sql" }))).toThrow(problem);
});

test("a text without anything of these is sent as it is", () => {
  const part = fc.constantFrom(
    "SELECT 1",
    ";",
    "\n",
    " ",
    "-- a\n",
    "'a;'",
    '"b"',
    "$$;$$",
    "(",
    ")",
    "INSERT INTO t VALUES (1)",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      expect(scriptOf(text).text).toBe(text);
    }),
  );
});

test("rows come out as they were, whatever they are", () => {
  const line = fc
    .string({ unit: "binary" })
    .map((each) => each.replaceAll(/[\n\r]/g, "").replace(/^\\\.$/, "x"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const rows = lines.map((each) => `${each}\n`).join("");
      expect(scriptOf(`COPY t FROM stdin;\n${rows}\\.\nSELECT 1;`)).toMatchObject({ rows: [rows] });
    }),
  );
});
