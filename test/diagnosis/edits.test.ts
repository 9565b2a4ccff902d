import { describe, expect, test } from "vitest";
import { locate } from "../../src/diagnosis/added-findings.ts";
import { editsOf } from "../../src/diagnosis/edits.ts";
import { type FoundCause, foundCauseSchema } from "../../src/model/findings/diagnosis.ts";
import { foundCause } from "./samples.ts";

/** The text with the edits in it; the text of the line that is meant ends with `<`. */
function edited(source: string, changes: Partial<FoundCause> & { function?: string } = {}): string {
  const { function: name = "read", ...others } = changes;
  const lines = source.split("\n").map((each) => each.replace(/<$/, ""));
  const line = source.split("\n").findIndex((each) => each.endsWith("<")) + 1;
  const place = { file: "main.py", line, function: name, code: (lines[line - 1] ?? "").trim() };
  const pool = others.pool && { ...others.pool, place };
  const found = foundCause({ place, ...others, ...(pool && { pool }) });
  const edits = editsOf(found, lines.join("\n"));
  if (edits.length === 0) return "";
  foundCauseSchema.parse({ ...found, edits: edits.map((each) => ({ path: "main.py", ...each })) });
  for (const { line: at, before, after } of edits) {
    expect(lines[at - 1]).toBe(before);
    lines[at - 1] = after;
  }
  return lines.join("\n");
}

const start = "import asyncio\nimport time\nimport requests\nimport urllib.request\n";
const body = (line: string, head = "async def read(request) -> str:") =>
  edited(`${start}\n${head}\n    ${line}<\n    return x`);

describe("a blocking call", () => {
  test.for<[line: string, expected: string]>([
    ["time.sleep(0.1)", "await asyncio.sleep(0.1)"],
    ["time.sleep(min(1, later()))", "await asyncio.sleep(min(1, later()))"],
    ["x = requests.get(url, timeout=5)", "x = await asyncio.to_thread(requests.get, url, timeout=5)"],
    ["return requests.get(f(')'))", "return await asyncio.to_thread(requests.get, f(')'))"],
    [
      'x = urllib.request.urlopen("https://a.example")',
      'x = await asyncio.to_thread(urllib.request.urlopen, "https://a.example")',
    ],
  ])("%s", ([line, expected]) => {
    expect(body(line)).toBe(`${start}\nasync def read(request) -> str:\n    ${expected}\n    return x`);
  });

  test.for<[what: string, line: string]>([
    ["is a part of a line", "x = requests.get(url).json()"],
    ["stands beside another", "time.sleep(1); time.sleep(2)"],
    ["two calls that look like one", "x = requests.get(a) + f(b)"],
    ["has a remark", "time.sleep(1)  # wait"],
    ["is not known to wait only", "x = render(rows)"],
    ["is another's", "x = session.get(url)"],
    ["awaits itself", "time.sleep(await later())"],
    ["unpacks a loop", "time.sleep(x for x in y)"],
    ["has a string that is not closed", "time.sleep(')"],
    ["has a string with escapes", 'x = requests.get("\\")")'],
    ["goes on", "time.sleep("],
    ["goes on after a remark", "x = requests.get(url, # )"],
    ["is invisible in part", "x = requests.get('\u202e')"],
    ["is too long", `x = requests.get('${"a".repeat(200)}')`],
    ["of a module under another name", "x = httpx.get(url)"],
  ])("%s: nothing", ([, line]) => {
    expect(body(line)).toBe("");
  });

  test.for<[what: string, head: string]>([
    ["in a plain function", "def read():"],
    ["in another function", "async def other():"],
    ["in a class", "class read:"],
  ])("%s: nothing", ([, head]) => {
    expect(body("time.sleep(1)", head)).toBe("");
  });

  test("below blocks, remarks and a head of several lines", () => {
    const source = `${start}
class Shop:
    async def read(
        self, request
    ) -> str:
        # waits
        if request:

            with self:
                time.sleep(1)<`;
    expect(edited(source, { function: "Shop.read" })).toContain("\n                await asyncio.sleep(1)");
    expect(edited(source, { function: "Shop.read.<locals>.<lambda>" })).toBe("");
  });

  test("at the top of a file: nothing", () => {
    expect(edited(`${start}\n    time.sleep(1)<`)).toBe("");
  });

  test("brings its import", () => {
    expect(edited('"""Doc."""\nimport time\n\nasync def read():\n    time.sleep(1)<')).toBe(
      '"""Doc."""\nimport asyncio\nimport time\n\nasync def read():\n    await asyncio.sleep(1)',
    );
  });

  test("of a file that has changed, or of another cause: nothing", () => {
    const source = "import asyncio\nimport time\nasync def read():\n    time.sleep(1)<";
    const place = { file: "main.py", line: 4, function: "read", code: "time.sleep(2)" };
    expect(edited(source, { place })).toBe("");
    expect(edited(source, { place: { ...place, line: 40 } })).toBe("");
    expect(edited(source, { cause: "slow query" })).toBe("");
    expect(editsOf(foundCause({ place: undefined }), source)).toEqual([]);
  });
});

describe("a pool", () => {
  const pool = {
    name: "max_size",
    from: 2,
    to: 8,
    place: { file: "main.py", line: 1, function: "", code: "" },
  };
  test.for<[what: string, source: string, expected: string]>([
    ["on one line", "pool = ConnectionPool(url, max_size=2)<", "pool = ConnectionPool(url, max_size=8)"],
    [
      "on several lines",
      'pool = ConnectionPool(<\n    os.environ["A("],  # the (address)\n    min_size=2,\n    max_size = 2,\n)\nx = f(max_size=2)',
      'pool = ConnectionPool(\n    os.environ["A("],  # the (address)\n    min_size=2,\n    max_size = 8,\n)\nx = f(max_size=2)',
    ],
  ])("%s", ([, source, expected]) => {
    expect(edited(source, { pool })).toBe(expected);
  });

  test.for<[what: string, source: string]>([
    ["by a setting", "pool = ConnectionPool(url, max_size=settings.size)<"],
    ["of another size", "pool = ConnectionPool(url, max_size=4)<"],
    ["twice", "pool = Pools(a(max_size=2), b(max_size=2))<"],
    ["in a sum", "pool = ConnectionPool(url, max_size=2 * n)<"],
    ["in a text", "pool = ConnectionPool('max_size=2', max_size=2)<"],
    ["beside a string of several lines", 'pool = ConnectionPool("""<\n", max_size=2)'],
    ["not at all", "pool = ConnectionPool(url)<"],
    ["by another keyword", "pool = create_engine(url, pool_size=2)<"],
    ["in a call without an end", `pool = ConnectionPool(<\n${"\n".repeat(40)}max_size=2)`],
  ])("%s: nothing", ([, source]) => {
    expect(edited(source, { pool })).toBe("");
  });
});

describe("in its repository", () => {
  const place = { file: "main.py", line: 4, function: "read", code: "time.sleep(1)" };
  const text = "import asyncio\nimport time\nasync def read():\n    time.sleep(1)\n";
  const locatedIn = (file: object) =>
    locate(
      { findings: [foundCause({ place })], unseen: [] },
      new Map([["main.py", { path: "api/main.py", diff: undefined, text, ...file }]]),
    ).findings?.[0];

  test("its edits have their path, and whether the diff has the line", () => {
    const edit = {
      path: "api/main.py",
      line: 4,
      before: "    time.sleep(1)",
      after: "    await asyncio.sleep(1)",
    };
    expect(locatedIn({})).toMatchObject({ path: "api/main.py", edits: [edit] });
    expect(locatedIn({ diff: "@@ -3,0 +4 @@\n+    time.sleep(1)" })).toMatchObject({
      isInDiff: true,
      edits: [{ ...edit, isInDiff: true }],
    });
  });

  test.for<[file: object]>([[{ text: undefined }], [{ path: "../main.py" }]])(
    "without what is needed: %j",
    ([file]) => {
      expect(locatedIn(file)).not.toHaveProperty("edits");
    },
  );
});
