/** What `init` was asked for. */
export interface Initialisation {
  /** Import string; `undefined`: the only app that there is. */
  readonly app: string | undefined;
  /** Below the repository; `undefined`: wherever the app is. */
  readonly appFolder: string | undefined;
  /** Whether files that are there already are replaced. */
  readonly overwrites: boolean;
}

export const initHelp: readonly string[] = [
  "  init      write .github/loadtest.yml and a workflow for the repository around the working folder",
  "            [--app IMPORT-STRING] [--app-folder FOLDER] [--overwrite true]",
];

const options = ["app", "app-folder", "overwrite"] as const;

/** Reads what follows `init`; a sentence when it cannot be read. */
export function parseInit(words: readonly string[]): Initialisation | string {
  const given: Partial<Record<(typeof options)[number], string>> = {};
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const [, written, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = options.find((each) => each === written);
    if (option === undefined)
      return `"${word}" is not an option of init; known are ${options.map((each) => `--${each}`).join(", ")}`;
    const value = attached ?? rest.next().value;
    if (value === undefined) return `--${option} needs a value`;
    given[option] = value;
  }
  const { overwrite = "false" } = given;
  if (overwrite !== "true" && overwrite !== "false")
    return `--overwrite: must be true or false (got ${JSON.stringify(overwrite)})`;
  return { app: given.app, appFolder: given["app-folder"], overwrites: overwrite === "true" };
}
