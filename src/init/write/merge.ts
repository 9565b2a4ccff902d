import { type Document, isMap, isPair, isScalar, type Pair, parseDocument } from "yaml";

/**
 * An existing configuration file with the parts of a new one that it lacks: keys, and variables of the app. Its own
 * content stays, comments too. A sentence when it cannot be read.
 */
export function withAdded(
  path: string,
  present: string,
  written: string,
): { readonly text: string; readonly added: readonly string[] } | string {
  const [kept, made] = [parseDocument(present), parseDocument(written)];
  if (kept.errors.length > 0 || !isMap(kept.contents))
    return `${path} is not a YAML mapping; fix it, or replace it with \`init --overwrite\``;
  const added: string[] = [];
  for (const pair of isMap(made.contents) ? made.contents.items : []) {
    const key = nameOf(pair);
    const before: unknown = kept.get(key, true);
    if (key === "script" && kept.has("endpoints"))
      return `${path} has \`endpoints\`, which a script replaces; remove them, or replace the file with \`--overwrite\``;
    if (key === "endpoints" && (kept.has("script") || kept.has("iteration"))) continue; // in their place
    if (before === undefined) {
      if (key === "stubs" && isDecided(pair, kept, present)) continue;
      // Otherwise the first line of all files would stand in the middle of this one.
      if (isScalar(pair.key)) pair.key.commentBefore = pair.key.commentBefore ?? null;
      kept.contents.items.push(pair);
      added.push(key);
    } else if (key === "app-env" && isMap(before) && isPair(pair) && isMap(pair.value)) {
      const lacking = pair.value.items.filter((each) => !before.has(nameOf(each)));
      before.items.push(...lacking);
      added.push(...lacking.map((each) => `app-env ${nameOf(each)}`));
    }
  }
  return { text: added.length === 0 ? present : kept.toString({ lineWidth: 0 }), added };
}

/** What the file says of a service outside, even in a comment, was somebody's choice. */
function isDecided({ value }: Pair, kept: Document, present: string): boolean {
  const stubs = isMap(value) ? value.items.filter(isPair) : [];
  return stubs.some((stub) => {
    const variables = isMap(stub.value) ? stub.value.get("app-env") : undefined;
    const named = isMap(variables) ? variables.items.map(nameOf) : [];
    return kept.hasIn(["services", nameOf(stub)]) || named.some((each) => present.includes(each));
  });
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}
