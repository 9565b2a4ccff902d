import { defined } from "../../lists/defined.ts";
import type { Database, Seed } from "./workload.ts";

/** The Postgres that a job has to start, or that is there; `none` for other databases, too. */
export function serverKindOf({ kind }: Database): Exclude<Database["kind"], "file" | "mysql"> {
  return kind === "file" || kind === "mysql" ? "none" : kind;
}

/** True when the app's start fills it: each arm has its own, as two workers cannot make tables at once. */
export function isFilledByStart({ kind }: Database): boolean {
  return kind === "file" || kind === "mysql";
}

/** The data of a database; `undefined` when we have none. */
export function seedOf(database: Database): Seed | undefined {
  if (database.kind === "none") return undefined;
  const { seedFiles, extensions, scale, variable, urlStyle, templates, commands } = database;
  return { seedFiles, scale, variable, ...defined({ extensions, urlStyle, templates, commands }) };
}

/** True when two arms may have copies of one template: commands are each arm's own code. */
export function isSameData(one: Seed | undefined, other: Seed | undefined): boolean {
  if (one?.commands !== undefined || other?.commands !== undefined) return false;
  return JSON.stringify(one?.seedFiles) === JSON.stringify(other?.seedFiles);
}

const diskMark =
  /^-- loadtest:[ \t]*disk[ \t]+(\d+(?:\.\d+)?)[ \t]*(MB|GB)[ \t]+at[ \t]+scale[ \t]+1[ \t\r]*$/gm;
const bytesPer = { MB: 1e6, GB: 1e9 } as const;

/** Bytes of disk by lines such as `-- loadtest: disk 2.3 GB at scale 1`; 0 without one. */
export function seedDiskBytes(texts: readonly string[], scale: number): number {
  const stated = texts.flatMap((text) =>
    [...text.matchAll(diskMark)].map(
      ([, amount, unit]) => Number(amount) * bytesPer[unit === "MB" ? "MB" : "GB"],
    ),
  );
  return stated.reduce((sum, bytes) => sum + bytes, 0) * scale;
}

/** A sentence when the template, the copies and those being dropped will not fit. */
export function diskProblem(
  databaseBytes: number,
  {
    arms,
    freeBytes,
    folder,
    scale,
  }: {
    readonly arms: number;
    readonly freeBytes: number;
    readonly folder: string;
    readonly scale: number;
  },
): string | undefined {
  const neededBytes = databaseBytes * (1 + 2 * arms);
  if (neededBytes <= freeBytes) return undefined;
  return (
    `scale: at ${scale} the databases need ${gigabytes(neededBytes)} of disk and ${folder} has ` +
    `${gigabytes(freeBytes)} free; free some space, set TMPDIR to a folder on a larger disk, or lower scale`
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A piece of a seed file that is sent to the server as one query. */
interface SeedPart {
  readonly text: string;
  /** Offset of its beginning in the file, in UTF-16 units. */
  readonly offset: number;
}

/** A line with a meaning for us that is a comment for everybody else. */
const mark = /^-- loadtest:[ \t]*(.*?)[ \t\r]*$/gm;

/** The parts of each step, cut at `-- loadtest: then` and `meanwhile`. Throws a `RangeError`. */
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

/** Lines that read from outside the seed files: other files, files and programs of the server, other servers. */
const outside =
  /^[ \t]*\\i|\bcopy\b[^;]*?\bfrom\s+(?:program\b|e?'|\$)|\b(?:pg_read_(?:binary_)?file|pg_ls_\w+|pg_stat_file|lo_import)\b|\b(?:dblink|file_fdw|postgres_fdw)\b/im;

/** True when the same seed files may give other rows another day, because they read from elsewhere. */
export function readsElsewhere(texts: readonly string[]): boolean {
  return texts.some((text) => outside.test(text));
}
