import { readCommandLine } from "../config/command-line.ts";
import { defined } from "../lists/defined.ts";

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
  /** Tests that are run to learn requests from; absent: all that send some. */
  readonly tests?: TestChoice;
  /** A module is written that replaces the login, as the tests do; absent: it is only proposed. */
  readonly replacesLogin?: true;
  /** True when existing files are replaced. */
  readonly overwrites: boolean;
}

export type TestChoice =
  | { readonly kind: "none" }
  /** A file or folder below the repository. */
  | { readonly kind: "path"; readonly path: string }
  /** As pytest's `-k` takes them. */
  | { readonly kind: "words"; readonly words: string };

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
      name: "tests",
      description:
        "Tests from which to take example requests: off, a file or folder, or -k WORDS, as in pytest. Default: all that send requests.",
    },
    {
      name: "replace-login",
      description:
        "If the tests replace the app's login, write app_without_login.py, which does the same, and measure the app without its login.",
      isSwitch: true,
    },
    {
      name: "overwrite",
      description: "Replace existing files. By default, their content is kept.",
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
  const tests = given("tests").at(-1);
  return {
    apps: [...new Set(given("app"))],
    appFolders,
    ...defined({ python }),
    ...(script !== undefined && { script: plainFolder(script) }),
    ...(tests !== undefined && { tests: choiceOf(tests) }),
    ...(values.has("replace-login") && { replacesLogin: true }),
    overwrites: values.has("overwrite"),
  };
}

function choiceOf(written: string): TestChoice {
  if (written === "off") return { kind: "none" };
  const [, words] = /^-k[ =]*(.+)$/.exec(written) ?? [];
  return words === undefined ? { kind: "path", path: plainFolder(written) } : { kind: "words", words };
}

/** In the form of found apps: shells that complete names end them with a slash. */
function plainFolder(written: string): string {
  return written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "") || ".";
}
