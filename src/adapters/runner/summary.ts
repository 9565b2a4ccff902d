/** The runner drops a summary of more than 1 MiB whole, so we stay below, together with other writers' text. */
const maxBytes = 900_000;
const note =
  "\n\n*The rest was left out: a job summary may not be larger. The results folder has the whole report.*\n";

/** The part of a text that still fits into a summary file of this size, cut at the end of a line. */
export function fitSummary(markdown: string, bytesThere: number): string {
  const before = bytesThere === 0 ? "" : "\n"; // an earlier writer may not have ended the last line
  const text = Buffer.from(`${before}${markdown}${markdown.endsWith("\n") ? "" : "\n"}`);
  const room = maxBytes - bytesThere;
  if (text.length <= room) return text.toString();
  const end = text.lastIndexOf("\n", Math.max(room - Buffer.byteLength(note), 0));
  // A line never ends within a character, so no character is cut in two.
  return end <= before.length ? "" : `${text.toString("utf8", 0, end)}${note}`;
}
