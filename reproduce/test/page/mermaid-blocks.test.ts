import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { renderReportPage } from "../../page/report-page.ts";
import { mermaidBlocks, parseMermaid } from "./mermaid.ts";
import { names, pageInput } from "./pages.ts";

const folder = "docs/reports";
const written = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".md")) : [];
const reports = ["000", "001", "002", "003", "004"] as const;

describe("Mermaid's own parser reads every chart", () => {
  test.for(written)("of the written %s", async (file) => {
    for (const block of mermaidBlocks(readFileSync(join(folder, file), "utf8"))) {
      await expect(parseMermaid(block)).resolves.toBe("xychart");
    }
  });

  test.for(reports)("of the page of report %s", async (report) => {
    const blocks = mermaidBlocks(renderReportPage(pageInput(report)));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) await expect(parseMermaid(block)).resolves.toBe("xychart");
  });
});

test("a syntax error is one", async () => {
  const [block = ""] = mermaidBlocks(renderReportPage(pageInput("001")));
  await expect(parseMermaid(block.replace("bar [", "bar [x"))).rejects.toThrow("Parse error");
});

test("every written page is one of a report, or their index", () => {
  const known = [...Object.values(names).map((name) => `${name}.md`), "README.md"];
  expect(written.filter((file) => !known.includes(file))).toEqual([]);
});
