import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

import { InputError } from "../../errors/errors.ts";
import { credentialsIn, includedBy, places, type StoredFile } from "../../forge/credentials.ts";
import { textOfPlainFile, userHome } from "../process/index.ts";

const largestBytes = 1_000_000;
const mostFiles = 50;

interface Options {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  warn(text: string): void;
}

/** Throws an `InputError` in a job whose checkout, or another step, left a credential of a forge on the disk. */
export function refuseStoredCredentials({ environment, folder, warn }: Options): void {
  const home = userHome(environment);
  const read = (path: string, name: string): StoredFile[] => {
    const text = textOfPlainFile(path, { largestBytes });
    return text === undefined ? [] : [{ name, text }];
  };
  const ofHome = places.flatMap(({ path }) => read(join(home, path), `~/${path}`));
  const { refused, reported } = credentialsIn(environment, {
    ofRepository: configurationsOf(folder, home),
    ofHome,
  });
  for (const text of reported) warn(text);
  if (refused.length > 0) throw new InputError(refused);
}

/** Git's own files, those of submodules, and what they include, whatever the condition. */
function configurationsOf(folder: string, home: string): readonly StoredFile[] {
  const link = textOfPlainFile(join(folder, ".git"), { largestBytes });
  const own = resolve(folder, /^gitdir: (.+)/.exec(link ?? "")?.[1] ?? ".git");
  const common = resolve(own, textOfPlainFile(join(own, "commondir"), { largestBytes })?.trim() ?? ".");
  const waiting = [
    join(own, "config.worktree"),
    join(common, "config"),
    ...ofModules(join(common, "modules")),
  ];
  waiting.push(join(home, ".gitconfig"), join(home, ".config", "git", "config"));
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

function ofModules(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name, "config"));
  } catch {
    return []; // there is none
  }
}

function shown(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside.startsWith("..") ? path : inside;
}
