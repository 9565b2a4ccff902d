import { type Dirent, existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

import { InputError } from "../../errors/errors.ts";
import { credentialsIn, includedBy, places, type StoredFile } from "../../forge/credentials.ts";
import { textOfPlainFile, userHome } from "../process/index.ts";

const largestBytes = 1_000_000;
const mostFiles = 200;
const mostFolders = 1_000;

interface Options {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Repositories. Those below the first one, such as other checkouts of the job, are searched, too. */
  readonly folders: readonly [string, ...string[]];
  warn(text: string): void;
}

/** Throws an `InputError` in a job whose checkout, or another step, left a credential of a forge on the disk. */
export function refuseStoredCredentials({ environment, folders, warn }: Options): void {
  const home = userHome(environment);
  const read = (path: string, name: string): StoredFile[] => {
    const text = textOfPlainFile(path, { largestBytes });
    return text === undefined ? [] : [{ name, text }];
  };
  const ofHome = places.flatMap(({ path }) => read(join(home, path), `~/${path}`));
  const [folder] = folders;
  const repositories = [...folders, ...checkoutsBelow(folder)].flatMap(filesOfRepository);
  const { refused, reported } = credentialsIn(environment, {
    ofRepository: configurationsOf([...repositories, ...filesOfUser(environment, home)], folder, home),
    ofHome,
  });
  for (const text of reported) warn(text);
  if (refused.length > 0) throw new InputError(refused);
}

/** Another checkout of a job lies in the workspace, perhaps in a folder of such. */
function checkoutsBelow(top: string): readonly string[] {
  const folders = foldersIn(top);
  return [...folders, ...folders.flatMap(foldersIn)]
    .slice(0, mostFolders)
    .filter((folder) => existsSync(join(folder, ".git")));
}

/** Git's own files, and those of submodules, whose names may have several parts. */
function filesOfRepository(folder: string): readonly string[] {
  const link = textOfPlainFile(join(folder, ".git"), { largestBytes });
  const own = resolve(folder, /^gitdir: (.+)/.exec(link ?? "")?.[1] ?? ".git");
  const common = resolve(own, textOfPlainFile(join(own, "commondir"), { largestBytes })?.trim() ?? ".");
  const modules = foldersIn(join(common, "modules"));
  const deeper = modules.flatMap(foldersIn);
  return [
    join(own, "config.worktree"),
    ...[common, ...modules, ...deeper, ...deeper.flatMap(foldersIn)].map((each) => join(each, "config")),
  ];
}

/** The user's and the machine's, and files that checkout leaves for the configurations which include them. */
function filesOfUser(environment: Options["environment"], home: string): readonly string[] {
  const { RUNNER_TEMP: temporary, XDG_CONFIG_HOME: ofUser } = environment;
  const left = temporary ? entriesIn(temporary).map(({ name }) => name) : [];
  return [
    ...[join(home, ".gitconfig"), join(ofUser || join(home, ".config"), "git", "config"), "/etc/gitconfig"],
    ...left.filter((name) => checkoutsFile.test(name)).map((name) => join(temporary ?? "", name)),
  ];
}

const checkoutsFile = /^git-credentials-[\w-]{1,60}\.config$/;

/** Those, and what they include, whatever the condition. */
function configurationsOf(paths: readonly string[], folder: string, home: string): readonly StoredFile[] {
  const waiting = [...paths];
  const found = new Map<string, string>();
  for (let path = waiting.shift(); path !== undefined && found.size < mostFiles; path = waiting.shift()) {
    const text = found.has(path) ? undefined : textOfPlainFile(path, { largestBytes });
    if (text === undefined) continue;
    found.set(path, text);
    for (const each of includedBy(text)) {
      const whole = each.replace(/^~(?=\/)/, home);
      waiting.push(isAbsolute(whole) ? whole : join(dirname(path), whole));
    }
  }
  return [...found].map(([path, text]) => ({ name: shown(path, folder), text }));
}

function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory() && !neverCheckouts.has(entry.name))
    .slice(0, mostFolders)
    .map(({ name }) => join(folder, name));
}

const neverCheckouts = new Set(["node_modules", ".git", ".venv", "venv"]);

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // there is none
  }
}

function shown(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside.startsWith("..") ? path : inside;
}
