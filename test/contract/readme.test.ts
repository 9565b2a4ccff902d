import { expect, test } from "vitest";
import { parse } from "yaml";

import { textOf } from "./files.ts";
import { yamlBlocks } from "./trust-rules.ts";

const readme = textOf("README.md");

test("the first page has at most 10 KB", () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10_000);
});

test("its first screen has the picture, the state of the project and the billed minutes, before the workflow", () => {
  const [screen = ""] = readme.split("## Quick start");
  expect(screen).toMatch(/!\[[^\]]{30,}\]\(docs\/images\/comment\.png\)/);
  expect(screen).toContain("**Not released yet.**");
  expect(screen).toMatch(/billed minutes[\s\S]*\| 1 \| \d+ \|[\s\S]*\| 4 \|[\s\S]*\| 12 \|/);
  expect(screen.length).toBeLessThan(3_600);
});

test("its workflow is one job, whose rows can be compared, and the safer form is beside it", () => {
  const [first = ""] = yamlBlocks(readme);
  const { jobs }: { readonly jobs: Readonly<Record<string, { readonly steps?: readonly unknown[] }>> } =
    parse(first);
  expect(Object.values(jobs).map(({ steps }) => steps?.length)).toEqual([2]);
  expect(readme).toMatch(/\| one job \(above\) \| \[a job for each cell\]\(examples\/matrix\.yml\) \|/);
});

test("the table of forms repeats the planner's minutes", () => {
  const [, together = "", apart = ""] = /^\| 12 \| \d+ \| (\d+) \| .* = (\d+) \|$/m.exec(readme) ?? [];
  expect(readme).toContain(`| billed minutes, 12 endpoints at 1, 2 and 4 workers | ${together} | ${apart} |`);
});

test.for(["npm run demo", "npm test"])("its first half has the command %s", (command) => {
  expect(readme.slice(0, readme.length / 2)).toMatch(new RegExp(`^${command}(?: +#|$)`, "m"));
});
