/** A piece of a seed file that is sent to the server as one query. */
export interface SeedPart {
  readonly text: string;
  /** Offset of its beginning in the file, in UTF-16 units. */
  readonly offset: number;
}

/** A line with a meaning for us that is a comment for everybody else. */
const mark = /^-- loadtest:[ \t]*(.*?)[ \t\r]*$/gm;

/**
 * Cuts a seed file at its lines `-- loadtest: then` and `-- loadtest: meanwhile`. The parts of one step run at once, the
 * steps one after the other. A file without such lines is one part. Throws a `RangeError` that names any other word.
 */
export function seedSteps(text: string): readonly (readonly SeedPart[])[] {
  const steps: SeedPart[][] = [[]];
  let offset = 0;
  const close = (end: number) => steps.at(-1)?.push({ text: text.slice(offset, end), offset });
  for (const match of text.matchAll(mark)) {
    const word = match[1] ?? "";
    if (/^disk\b/.test(word)) continue; // read by seedDiskBytes
    if (word !== "then" && word !== "meanwhile") {
      const line = text.slice(0, match.index).split("\n").length;
      throw new RangeError(
        `line ${line}: "-- loadtest: ${word}" is not known; use then, meanwhile or disk N GB at scale 1`,
      );
    }
    close(match.index);
    if (word === "then") steps.push([]);
    offset = match.index + match[0].length;
  }
  close(text.length);
  return steps;
}
