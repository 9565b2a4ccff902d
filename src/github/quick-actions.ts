/**
 * A note in which no line begins with a slash. GitLab runs such a line as a command of the note's author (`/close`,
 * `/label ~urgent`), and what it takes for a block of code, where it runs nothing, ends sooner than it does in Markdown:
 * with a line of three backticks, which a log may have. A space before the slash changes nothing that is shown but the
 * log's own line.
 */
export function withoutQuickActions(note: string): string {
  return note.replaceAll(/(?<=^|\n)\r*(?=\/)/g, " ");
}
