import { printable } from "../text/printable.ts";

const missing: readonly RegExp[] = [
  /[Nn]o such file or directory: ["']([^"'\n]{1,300})["']/,
  /(?:[Dd]irectory|[Ff]older|[Ff]ile|[Pp]ath) ["']?([^"'\s]{1,300})["']? (?:does not exist|doesn't exist|not found|is missing)/,
  /(?:[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to) (?:open|find|load|read) (?:file |folder |directory )?["']([^"'\n]{1,300})["']/,
];

/** The file or folder that an app misses, as a path from its own folder; `undefined`: none, or one elsewhere. */
export function missingPath(reason: string, folder: string): string | undefined {
  const [path] = missing.flatMap((each) => each.exec(reason)?.[1] ?? []);
  if (path === undefined) return undefined;
  const below = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path.replace(/^\.\//, "");
  const isOutside = below === "" || below.startsWith("/") || below.split("/").includes("..");
  return isOutside ? undefined : below;
}

/** The end of a sentence on a base that lacks what is here. */
export function lackedWords(path: string): string {
  return `; the base lacks ${printable(path)}, which is here but not in Git: let the app create it, or commit it`;
}
