/** What `init` was asked for. */
export interface Initialisation {
  /** Import strings; empty: whatever apps there are. */
  readonly apps: readonly string[];
  /** Below the repository; empty: wherever apps are. */
  readonly appFolders: readonly string[];
  /** Whether files that are there already are replaced. */
  readonly overwrites: boolean;
}

export const initHelp: readonly string[] = [
  "  init      write a configuration for each app of the repository around the working folder, and a workflow",
  "            [--app IMPORT-STRING ...] [--app-folder FOLDER ...] [--overwrite true]",
];

const options = ["app", "app-folder", "overwrite"] as const;

/** Reads what follows `init`; a sentence when it cannot be read. */
export function parseInit(words: readonly string[]): Initialisation | string {
  const given: Record<(typeof options)[number], string[]> = { app: [], "app-folder": [], overwrite: [] };
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const [, written, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = options.find((each) => each === written);
    if (option === undefined)
      return `"${word}" is not an option of init; known are ${options.map((each) => `--${each}`).join(", ")}`;
    const value = attached ?? rest.next().value;
    if (value === undefined) return `--${option} needs a value`;
    given[option].push(value);
  }
  const { app, overwrite } = given;
  const overwrites = overwrite.at(-1) ?? "false";
  if (overwrites !== "true" && overwrites !== "false")
    return `--overwrite: must be true or false (got ${JSON.stringify(overwrites)})`;
  const appFolders = [...new Set(given["app-folder"].map(plainFolder))];
  return { apps: [...new Set(app)], appFolders, overwrites: overwrites === "true" };
}

/** As apps have it: shells that complete names end them with a slash. */
function plainFolder(written: string): string {
  return written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "") || ".";
}
