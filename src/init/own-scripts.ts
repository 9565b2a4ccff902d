import type { Proposal } from "./proposals.ts";
import type { ProjectFile } from "./source-file.ts";

const mostShown = 5;
const isPlain = /^[\w./@+-]{1,300}$/;

/**
 * Load tests that the repository has already, for k6 or Locust: each may take the place of `endpoints`.
 *
 * @param scripts files that may be such, with paths below the repository
 * @param from folder of the paths in the configuration file, below the repository
 * @param files of the whole repository
 */
export function proposeScripts(
  scripts: readonly ProjectFile[],
  from: string,
  files: readonly ProjectFile[],
): readonly Proposal[] {
  const lines = scripts
    .filter(({ path }) => isPlain.test(path) && (from === "." || path.startsWith(`${from}/`)))
    .flatMap(({ path, text }) => {
      const about = path.endsWith(".py") ? locustWords(text, files) : k6Words(text);
      const own = from === "." ? path : path.slice(from.length + 1);
      return about === undefined ? [] : [`script: ${own} # ${about}`];
    });
  if (lines.length === 0) return [];
  return [
    {
      reason:
        "The repository has a load test of its own. It may take the place of `endpoints`: it runs whole, against base and head in turns (docs/scripts.md).",
      lines: lines.slice(0, mostShown),
    },
  ];
}

function locustWords(text: string, files: readonly ProjectFile[]): string | undefined {
  if (!/^[ \t]{0,8}(?:from|import) locust\b/m.test(text)) return undefined;
  const source = files.find(
    ({ path, text: each }) => /^requirements[\w./-]*\.txt$/.test(path) && /^locust\b/im.test(each),
  );
  const where = source === undefined ? "" : `, e.g. with install: ${source.path}`;
  return `for Locust, which the app's environment must have${where}`;
}

function k6Words(text: string): string | undefined {
  if (!/\bfrom\s{0,9}["']k6(?:\/[\w-]{1,40})*["']/.test(text)) return undefined;
  if (!/^export (?:default\b|const options\b|let options\b)/m.test(text)) return undefined;
  return text.includes("BASE_URL") ? "for k6" : "for k6; it must take the app's address from __ENV.BASE_URL";
}
