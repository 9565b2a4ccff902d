import fc from "fast-check";

/** Cases of each fuzz test: `npm test` tries 2,000, CI 10,000, and by hand there may be a million. */
export const numRuns = Number(process.env["LOADTEST_FUZZ_CASES"] ?? 2_000);
/** Room for a busy machine: tests of speed measure CPU time, not this. */
export const timeout = Math.max(300_000, numRuns * 100);

interface Branch {
  [key: string]: Tree;
}
type Tree = null | boolean | number | string | Tree[] | Branch;

/** Text that JSON may hold and that no value of ours can become: written as it is. */
const rawStart = "\u0001raw:";
const raw = (text: string) => `${rawStart}${text}`;

/** Replacements for a field. */
const strange = fc.oneof(
  fc.constantFrom<Tree>(
    ...[null, true, "", "x", -1, 0, 0.5, 1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 31],
    ...[
      raw("1e999"),
      raw("-1e999"),
      raw("-0"),
      raw("1E400"),
      raw("NaN"),
      raw('{"__proto__":{"polluted":1}}'),
    ],
    ...[
      raw(`${"[".repeat(2_000)}${"]".repeat(2_000)}`),
      "y".repeat(5_000),
      "__proto__",
      "constructor",
      "\ud800",
    ],
  ),
  fc.constant<Tree>([]),
  fc.constant<Tree>({}),
  fc.double().map((value): Tree => (Number.isFinite(value) ? value : raw("1e999"))),
  fc.integer({ min: 0, max: 1_000_000 }).map((value): Tree => value),
  fc.string({ maxLength: 20 }).map((value): Tree => value),
);

const change = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "add", "repeat"),
  value: strange,
  key: fc.constantFrom("extra", "__proto__", "constructor", "toString", "", "status"),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** JSON text of a document with up to four mistakes; now and then cut, or no JSON at all. */
export function mutationsOf(document: unknown): fc.Arbitrary<string> {
  const changed = fc.array(change, { maxLength: 4 }).map((changes) => {
    const holder: Branch = { root: JSON.parse(JSON.stringify(document)) };
    for (const each of changes) apply(holder, { ...each, value: structuredClone(each.value) });
    return textOf(holder["root"] ?? null);
  });
  return fc.oneof(
    { weight: 20, arbitrary: changed },
    {
      weight: 1,
      arbitrary: fc.tuple(changed, fc.nat()).map(([text, end]) => text.slice(0, end % text.length)),
    },
    { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string(), fc.string({ unit: "binary" })) },
  );
}

function apply(holder: Branch, { place, kind, value, key }: Change): void {
  const places = [...placesIn(holder)];
  const [node, at] = places[place % places.length] ?? [holder, "root"];
  const child = node[at];
  const list: unknown = node;
  if (kind === "remove" && Array.isArray(list)) list.splice(Number(at), 1);
  else if (kind === "remove") delete node[at];
  else if (kind === "repeat" && Array.isArray(list)) list.push(structuredClone(child ?? null));
  else if (kind === "add" && typeof child === "object" && child !== null && !Array.isArray(child))
    Object.defineProperty(child, key, { value, enumerable: true, configurable: true, writable: true });
  else node[at] = value;
}

function* placesIn(node: Branch): Generator<[node: Branch, key: string]> {
  for (const [key, child] of Object.entries(node)) {
    yield [node, key];
    // A list has names, too.
    if (typeof child === "object" && child !== null) yield* placesIn(child as Branch);
  }
}

function textOf(tree: Tree): string {
  const start = JSON.stringify(rawStart).slice(1, -1);
  return (JSON.stringify(tree) ?? "").replaceAll(/"((?:[^"\\]|\\.)*)"/g, (whole, content: string) =>
    content.startsWith(start) ? String(JSON.parse(whole)).slice(rawStart.length) : whole,
  );
}

/** All numbers in a value, however deep. */
export function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === "number") yield value;
  else if (typeof value === "object" && value !== null)
    for (const child of Object.values(value)) yield* numbersIn(child);
}

/** True when a field of `Object.prototype` came into being. */
export function isPolluted(): boolean {
  return "polluted" in {} || "extra" in {};
}
