import type { HistoryText } from "../core/trends/history.ts";
import { type GitOptions, gitIn, resolveCommit } from "./git-command.ts";

/** Of all lines together: years of nights. */
const mostBytes = 200_000_000;

/**
 * Reads `cells/REPORT/COMMIT.jsonl` at a ref of the repository around a folder, without checking anything out; a
 * sentence without a subject when there is none. The ref must not begin with a dash.
 */
export async function readHistoryAtRef(
  folder: string,
  ref: string,
  options: GitOptions,
): Promise<readonly HistoryText[] | string> {
  const git = gitIn(folder, options);
  const inside = await git(["rev-parse", "--git-dir"]);
  if (inside.outcome === "not installed") return "is no folder, and git is not installed";
  if (inside.outcome !== "ok") return "is no folder, and there is no git repository here";
  const commit = await resolveCommit(git, ref);
  if (commit === undefined)
    return `is neither a folder nor a ref here; a branch has to be fetched first, e.g. \`git fetch origin ${branchOf(ref)}\``;
  // One process for all files. Each line comes as `COMMIT:PATH`, a zero byte, and the line itself.
  const form = ["--full-name", "--null", "--text", "--no-color", "--no-line-number", "--no-column"];
  const what = ["-e", "", commit, "--", ":(top,glob)cells/*/*.jsonl"];
  const found = await git(["grep", ...form, "--no-textconv", ...what], 300, mostBytes);
  if (found.outcome === "timed out") return "could not be read within 5 minutes";
  if (found.text.length >= mostBytes) return `holds more than ${mostBytes / 1e6} MB of lines`;
  const texts = textsIn(found.text, commit);
  return texts.length > 0 ? texts : "holds no cells/REPORT/COMMIT.jsonl";
}

function textsIn(found: string, commit: string): HistoryText[] {
  const files = new Map<string, string[]>();
  for (const each of found.split("\n")) {
    const end = each.indexOf("\0");
    if (end < 0 || !each.startsWith(`${commit}:`)) continue; // git's own words
    const name = each.slice(commit.length + 1, end);
    const lines = files.get(name) ?? [];
    lines.push(each.slice(end + 1));
    files.set(name, lines);
  }
  return [...files].map(([name, lines]) => ({ name, text: lines.join("\n") }));
}

function branchOf(ref: string): string {
  return ref.replace(/^(refs\/(heads|remotes)\/)?(origin\/)?/, "");
}
