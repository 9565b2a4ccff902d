import { readCommandLine } from "../config/command-line.ts";
import { InputError } from "../errors/errors.ts";

/** The options of `init`. */
export interface Initialisation {
  /** Import strings; empty: all apps found. */
  readonly apps: readonly string[];
  /** Folders below the repository; empty: all folders with apps. */
  readonly appFolders: readonly string[];
  /** Python of the apps, in the form of the input; absent: the user named none. */
  readonly python?: string;
  /** Path of the load test of their own that is to run, below the repository; absent: their endpoints are requested. */
  readonly script?: string;
  /** True when existing files are replaced. */
  readonly overwrites: boolean;
}

export const initHelp: readonly string[] = [
  "  init      write a configuration for each app of the repository around the working folder, and a workflow",
  "            [--app IMPORT-STRING ...] [--working-directory FOLDER ...] [--python PYTHON] [--script FILE] [--overwrite true]",
];

const usage = {
  verb: "init",
  options: [
    { name: "app" },
    { name: "working-directory" },
    { name: "python" },
    { name: "script" },
    { name: "overwrite" },
  ],
} as const;

/** Reads the words after `init`. Throws an `InputError`. */
export function parseInit(words: readonly string[]): Initialisation {
  const { values } = readCommandLine(usage, words);
  const given = (name: (typeof usage.options)[number]["name"]) => values.get(name) ?? [];
  const overwrites = given("overwrite").at(-1) ?? "false";
  if (overwrites !== "true" && overwrites !== "false")
    throw new InputError([`--overwrite: must be true or false (got ${JSON.stringify(overwrites)})`]);
  const appFolders = [...new Set(given("working-directory").map(plainFolder))];
  const python = given("python").at(-1);
  const script = given("script").at(-1);
  return {
    apps: [...new Set(given("app"))],
    appFolders,
    ...(python !== undefined && { python }),
    ...(script !== undefined && { script: plainFolder(script) }),
    overwrites: overwrites === "true",
  };
}

/** In the form of found apps: shells that complete names end them with a slash. */
function plainFolder(written: string): string {
  return written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "") || ".";
}
