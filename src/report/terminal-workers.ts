import { printable } from "../text/printable.ts";
import { moreSentences, type WorkersSection } from "./workers-table.ts";

/** How many workers to run, a line each and safe to print; the figures behind it are in the report's files. */
export function workersLines(section: WorkersSection | undefined): string[] {
  if (section === undefined) return [];
  const { sentences, more } = section;
  return [
    ...sentences.map(({ subject, endpoints, text }) => {
      const about = [...endpoints, ...(subject === "" ? [] : [subject])].join(", ");
      return `How many workers? ${printable(`${about}: ${text}`)}`;
    }),
    ...(more > 0 ? [moreSentences(more)] : []),
  ];
}
