import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import * as z from "zod";

import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import {
  otherStoreSentence,
  pathsIn,
  placesIn,
  type Stores,
  storePorts,
} from "../../model/workload/stores.ts";
import { jsonOf } from "../../text/json.ts";
import { startDeadline } from "./deadline.ts";
import { storeOpenedBy } from "./open-stores.ts";
import { textOfPlainFile } from "./plain-file.ts";
import { userHome } from "./process-owner.ts";
import { packageFolder } from "./python-answer.ts";

/** Keeps an app away from the user's own data. */
export interface AppGuard {
  open(given: {
    /** Absolute path. */
    readonly folder: string;
    readonly variables: Readonly<Record<string, string>>;
    /** Absent: it is measured, and only looked at from outside. */
    readonly stores?: Stores | undefined;
    /** Further ones with files of its own; absent: none. */
    readonly ownFolders?: readonly string[];
  }): Promise<GuardedApp>;
}

/** Disposal removes its notes. */
export interface GuardedApp extends AsyncDisposable {
  /** Adds a home and a folder for temporary files that are not the user's, and what watches its Python. */
  withGuard(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /**
   * Sentence on a store of somebody else that it opens.
   *
   * @param roots its processes
   * @param isOver true when it should have used its own database by now
   */
  otherStore(roots: readonly number[], isOver: boolean): Promise<string | undefined>;
}

const lookEveryMs = 250;

/** Does some work of an app, and ends it with an `EnvironmentError` when the app opens a store of somebody else. */
export async function withOwnStores<T>(
  look: (isOver: boolean) => Promise<string | undefined>,
  { phase, signal }: { readonly phase: FailurePhase; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using watch = startDeadline({ signal });
  const failed = (text: string) => new EnvironmentError(phase, text, { detail: { kind: "other store" } });
  const stop = (found: string | undefined) => found !== undefined && watch.abort(failed(found));
  const timer = setInterval(() => void look(false).then(stop, () => undefined), lookEveryMs);
  let result: T;
  try {
    result = await work(watch.signal);
  } catch (error) {
    const found = signal.aborted ? undefined : await look(false);
    throw found === undefined ? error : failed(found);
  } finally {
    clearInterval(timer);
  }
  const found = await look(true);
  if (found !== undefined) throw failed(found);
  return result;
}

const noteName = /^note-\d+-[0-9a-f]{8}\.json$/;
const noteSchema = z.object({ kind: z.enum(["refused", "inside", "own"]), text: z.string().max(500) });
const mostNotes = 200;

/** @param workFolder holds everything of this run: files of SQLite below are its own */
export function openAppGuard(workFolder: string): AppGuard {
  let homeMade: Promise<Readonly<Record<string, string>>> | undefined;
  return {
    open: async ({ folder: appFolder, variables, stores, ownFolders = [] }) => {
      homeMade ??= makeHome(workFolder);
      const home = await homeMade;
      const named = stores?.named ?? {};
      const own = [...placesIn(variables), ...placesIn(named, true)];
      const folders = [workFolder, ...ownFolders];
      const allowed = { folders, own: new Set(own) };
      const folder = await mkdtemp(join(workFolder, "guard-"));
      const settingsPath = join(folder, "settings.json");
      const settings = {
        ...{ appFolder, home: home["HOME"], folders, own, paths: pathsIn(named) },
        kinds: storePorts,
      };
      await writeFile(settingsPath, JSON.stringify(settings), { mode: 0o600 });
      return {
        withGuard: ({ PYTHONPATH: path, ...others }) => ({
          ...{ ...home, ...others },
          ...(stores === undefined ? path && { PYTHONPATH: path } : watchedPython(settingsPath, path)),
        }),
        otherStore: async (roots, isOver) => {
          const isGiven = isOver && stores?.variable !== undefined;
          const text = (await notedIn(folder, isGiven)) ?? storeOpenedBy(roots, allowed);
          return text === undefined ? undefined : otherStoreSentence(text, stores ?? { named });
        },
        [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
      };
    },
  };
}

function watchedPython(settingsPath: string, path: string | undefined) {
  const ours = join(packageFolder, "probe", "loadtest_probe", "guarded");
  return { LOADTEST_GUARD: settingsPath, PYTHONPATH: path ? `${ours}${delimiter}${path}` : ours };
}

/** The app can write there, too: a note counts for no more than what it says. */
async function notedIn(folder: string, isGiven: boolean): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => noteName.test(name));
  const notes = names.slice(0, mostNotes).flatMap((name) => {
    const text = textOfPlainFile(join(folder, name), { largestBytes: 2_000, followsLinks: false });
    const { success, data } = noteSchema.safeParse(text === undefined ? undefined : jsonOf(text));
    return success ? [data] : [];
  });
  const refused = notes.find(({ kind }) => kind === "refused");
  // A file in its home harms nobody, but an app that was given a database should use that.
  const isOwnUsed = notes.some(({ kind }) => kind === "own");
  const inside = notes.find(({ kind }) => kind === "inside" && isGiven && !isOwnUsed);
  return (refused ?? inside)?.text;
}

/** Tools that make environments keep their caches: they hold nothing but packages. */
const caches = {
  PIP_CACHE_DIR: ["pip"],
  POETRY_CACHE_DIR: ["pypoetry"],
  UV_CACHE_DIR: ["uv"],
} as const;

async function makeHome(workFolder: string): Promise<Readonly<Record<string, string>>> {
  const [home, temporary] = [join(workFolder, "home"), join(workFolder, "tmp")];
  for (const folder of [home, temporary]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
  }
  const ofUser = userHome();
  const cache = process.env["XDG_CACHE_HOME"] || join(ofUser, ".cache");
  const data = process.env["XDG_DATA_HOME"] || join(ofUser, ".local", "share");
  const kept = Object.entries(caches).map(([name, path]) => [
    name,
    process.env[name] || join(cache, ...path),
  ]);
  return {
    ...Object.fromEntries(kept),
    UV_PYTHON_INSTALL_DIR: process.env["UV_PYTHON_INSTALL_DIR"] || join(data, "uv", "python"),
    HOME: home,
    TMPDIR: temporary,
  };
}
