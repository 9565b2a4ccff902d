import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { figuresOf } from "../../../src/core/report/figures.ts";
import { renderHtml } from "../../../src/core/report/html.ts";
import { renderComment, renderSummary } from "../../../src/core/report/markdown.ts";
import { renderTerminalTable } from "../../../src/core/report/terminal.ts";
import { mixed } from "./compared.ts";

test("x", () => {
  const links = { runUrl: "https://github.com/octo/app/actions/runs/7", runLabel: "run 12" };
  writeFileSync("/tmp/report-example.md", renderComment(mixed(), { marker: "<!-- m -->", ...links }));
  writeFileSync("/tmp/report-example.html", renderHtml(mixed(), links));
  writeFileSync("/tmp/report-example.txt", renderTerminalTable(mixed(), { width: 120, colour: false }));
  writeFileSync("/tmp/report-example.json", JSON.stringify(figuresOf(mixed()).cells[0], undefined, 1));
});
