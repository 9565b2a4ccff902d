import type { Comparison } from "../../compare/comparison.ts";
import { code, data, joined, line, link } from "../document/inline.ts";
import type { Report } from "../document/report.ts";
import { commitOf } from "../facts/notes.ts";
import { isWebAddress, type Links } from "../links.ts";

/** The subject of the report, and where it comes from. */
export function sourceOf(comparison: Comparison, links: Links): Report["source"] {
  const { runUrl, runLabel } = links;
  const sha = commitOf(comparison, links)?.slice(0, 10);
  const commit = sha === undefined ? [] : [line("Commit ", code(sha))];
  const run = isWebAddress(runUrl)
    ? [
        line(
          link(runLabel ?? "this run", runUrl),
          ", whose artifacts have the page with charts (",
          data("report.html"),
          ") and all data",
        ),
      ]
    : [];
  const all = joined([...commit, ...run], ", ");
  const page = isWebAddress(runUrl) ? [line(link(runLabel ?? "This run", runUrl))] : [];
  return {
    comment: all.length === 0 ? [] : line(all, "."),
    page: joined([...commit.map((each) => line(each, ".")), ...page], " "),
  };
}
