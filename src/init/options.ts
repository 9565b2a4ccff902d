import { readCommandLine } from "../config/command-line.ts";

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

export const initUsage = {
  verb: "init",
  options: [
    {
      name: "app",
      description: "Import string of an app, e.g. app.main:app. May be repeated. Default: all apps found.",
    },
    {
      name: "working-directory",
      description: "Folder of an app. May be repeated. Default: every folder with an app.",
    },
    { name: "python", description: "Python for the apps: a program's name or path." },
    {
      name: "script",
      description: "Your own load test to run: a k6 script or a Locust file. Default: request the endpoints.",
    },
    {
      name: "overwrite",
      description: "Replace existing files. By default they keep what they have.",
      isSwitch: true,
    },
  ],
} as const;

/** Reads the words after `init`. Throws an `InputError`. */
export function parseInit(words: readonly string[]): Initialisation {
  const { values } = readCommandLine(initUsage, words);
  const given = (name: (typeof initUsage.options)[number]["name"]) => values.get(name) ?? [];
  const appFolders = [...new Set(given("working-directory").map(plainFolder))];
  const python = given("python").at(-1);
  const script = given("script").at(-1);
  return {
    apps: [...new Set(given("app"))],
    appFolders,
    ...(python !== undefined && { python }),
    ...(script !== undefined && { script: plainFolder(script) }),
    overwrites: values.has("overwrite"),
  };
}

/** In the form of found apps: shells that complete names end them with a slash. */
function plainFolder(written: string): string {
  return written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "") || ".";
}
