import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Plugin, parseAst } from "vite";

import { reworded } from "./words.ts";

/**
 * Rewords each sentence of `src/`, so that a branch which reads one goes another way. What the types of `src/` name is
 * no sentence: those are the kinds that branches may depend on.
 */
export function rewordSentences(root: string): Plugin {
  const source = join(root, "src/");
  let kinds: ReadonlySet<string> | undefined;
  return {
    name: "reword-sentences",
    enforce: "pre",
    resolveId: (id, importer) =>
      id === "vitest" && importer?.startsWith(join(root, "test/")) && !importer.includes("/reworded/")
        ? join(root, "test/reworded/vitest.ts")
        : undefined,
    transform(code, id) {
      if (!id.startsWith(source) || !id.endsWith(".ts")) return undefined;
      kinds ??= kindsIn(source);
      return { code: withReworded(code, kinds), map: null };
    },
  };
}

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Literals of types, and the elements of lists that types are made of (`as const`). */
function kindsIn(source: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    visit(parsed(readFileSync(join(source, name), "utf8")), (node) => {
      if (node.type === "TSLiteralType") addText(node["literal"]);
      if (node.type === "TSAsExpression") visitList(node["expression"]);
      return true;
    });
  }
  return kinds;

  function addText(literal: unknown): void {
    if (isNode(literal) && typeof literal["value"] === "string") kinds.add(literal["value"]);
  }

  function visitList(expression: unknown): void {
    if (isNode(expression) && expression.type === "ArrayExpression" && Array.isArray(expression["elements"]))
      expression["elements"].forEach(addText);
  }
}

function parsed(code: string): Node {
  const tree: unknown = parseAst(code, { lang: "ts" });
  if (!isNode(tree)) throw new Error("no syntax tree");
  return tree;
}

/** Calls `enter` for a node and, while it returns true, for those in it. */
function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return;
  for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, enter);
}

/** The same code, with as many characters. */
function withReworded(code: string, kinds: ReadonlySet<string>): string {
  let changed = code;
  const reword = (start: number, end: number) => {
    changed = changed.slice(0, start) + reworded(changed.slice(start, end)) + changed.slice(end);
  };
  visit(parsed(code), (node) => {
    if (/^(?:TS(?!As|Satisfies|NonNull)|Import|ExportAll)/.test(node.type)) return false;
    if (node.type === "Property" && node["computed"] !== true && isNode(node["value"])) {
      visit(node["value"], enter);
      return false;
    }
    return enter(node);
  });
  return changed;

  function enter(node: Node): boolean {
    if (node.type === "Literal" && typeof node["value"] === "string") {
      if (isSentence(node["value"]) && !kinds.has(node["value"])) reword(node.start + 1, node.end - 1);
    }
    if (node.type === "TemplateLiteral" && Array.isArray(node["quasis"])) {
      // Their places may include what is around them.
      const pieces = node["quasis"].filter(isNode).map(({ start, end, value }) => {
        const raw = String(Object(value).raw);
        return { raw, at: start + code.slice(start, end).indexOf(raw) };
      });
      if (isSentence(pieces.map(({ raw }) => raw).join("X")))
        for (const { raw, at } of pieces) reword(at, at + raw.length);
    }
    return true;
  }
}

/** Two plain words beside each other among three or more, and nothing that a machine reads. */
function isSentence(text: string): boolean {
  if (text.trim().split(/\s+/).length < 3) return false; // `fastapi run`
  return (
    /(?<![\w./-])[a-z]{2,} [a-z]{2,}/.test(text) &&
    !/<\/?\w|^\s*(?:SELECT|from|import|python) |\{\n/.test(text)
  );
}
