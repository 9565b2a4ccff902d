import { escapeHtmlLines, html, type Markup } from "../../text/html.ts";
import type { Report, TestCase } from "../document/report.ts";

/** JUnit XML, a case for each cell: `failure` by the check, `error` without figures, else `skipped`. */
export function renderJunit({ cases }: Pick<Report, "cases">): string {
  const times = (wanted: TestCase["result"]["kind"]) =>
    cases.filter(({ result }) => result.kind === wanted).length;
  const counts = html`tests="${cases.length}" failures="${times("failure")}" errors="${times("error")}" skipped="${times("skipped")}"`;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="load test" ${counts}>
<testsuite name="load test" ${counts}>${cases.map(caseOf)}
</testsuite>
</testsuites>
`.markup;
}

function caseOf({ endpoint, workers, result }: TestCase): Markup {
  return html`
<testcase classname="${endpoint}" name="${workers}">${detailsOf(result)}</testcase>`;
}

function detailsOf(result: TestCase["result"]): Markup | undefined {
  switch (result.kind) {
    case "passed":
      return undefined;
    case "error":
      return html`<error type="${result.state}" message="${result.message}">${escapeHtmlLines(result.log)}</error>`;
    case "failure":
      return html`<failure type="slower" message="${result.message}"></failure>`;
    case "skipped":
      return html`<skipped message="${result.message}"/>`;
  }
}
