import { expect, test } from "vitest";
import { parse } from "yaml";

import { textOf } from "./files.ts";
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

test.for(["npm run demo", "npm test"])("its first half has the command %s", (command) => {
  expect(readme.slice(0, readme.length / 2)).toMatch(new RegExp(`^${command}(?: +#|$)`, "m"));
});
