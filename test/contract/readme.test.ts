import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { root, textOf } from "./files.ts";
import { yamlBlocks } from "./trust-rules.ts";

const readme = textOf("README.md");

test("the first page has at most 12 KB", () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000);
});

test("its first screen has what you get, what it costs, and what it never does, before the ten lines", () => {
  const [screen = ""] = readme.split("## Quick start");
  expect(screen).toMatch(/!\[[^\]]{30,}\]\(docs\/images\/comment\.png\)/);
  expect(screen).toMatch(/\*\*What it costs\*\*[\s\S]*\| 1 \| \d+ minutes[\s\S]*\| 4 \|[\s\S]*\| 12 \|/);
  expect(screen).toContain("**What it never does:**");
  expect(screen.length).toBeLessThan(3_000);
});

test("the first workflow is the safe form: the token and the code under test are in different jobs", () => {
  const [first = ""] = yamlBlocks(readme);
  const { jobs }: { readonly jobs: Readonly<Record<string, { readonly uses?: string }>> } = parse(first);
  expect(Object.values(jobs).map(({ uses }) => uses)).toEqual([
    expect.stringMatching(/\/\.github\/workflows\/loadtest\.yml@/),
  ]);
});

test.for(["README.md", "docs/guide.md", "docs/living.md", "docs/comment.md", "examples/README.md"])(
  "%s links to files that exist, and to headings that they have",
  (path) => {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    const links = [...textOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)];
    expect(links.length).toBeGreaterThan(3);
    for (const [whole, file = "", anchor] of links) {
      const target = file === "" ? path : join(folder, file);
      expect([whole, existsSync(join(root, target))]).toEqual([whole, true]);
      if (anchor !== undefined)
        expect([whole, anchorsOf(textOf(target))]).toEqual([whole, expect.arrayContaining([anchor])]);
    }
  },
);

/** As GitHub names headings. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
