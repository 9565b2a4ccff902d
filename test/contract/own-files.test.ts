import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** Kinds of files that teams bring along, from A to L, as the long tests name them: `E: one user, one client`. */
const kinds = "ABCDEFGHIJKL";

test("each kind of a team's own files is tried in at least five forms", () => {
  const listed = execFileSync(
    "npx",
    ["--no-install", "vitest", "list", "--project", "long", "test/end-to-end/own-", "--json"],
    { encoding: "utf8" },
  );
  const names: readonly { name: string }[] = JSON.parse(listed.slice(listed.indexOf("[")));
  const counts = Object.fromEntries(
    Array.from(kinds, (kind) => [kind, names.filter(({ name }) => name.startsWith(`${kind}: `)).length]),
  );
  expect(
    Object.values(counts).every((count) => count >= 5),
    JSON.stringify(counts),
  ).toBe(true);
});
