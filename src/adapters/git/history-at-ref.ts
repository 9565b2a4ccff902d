import type { HistoryText } from "../../history/trends/history.ts";
import { shortenMiddle } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";
import { type GitAnswer, type GitOptions, gitIn, resolveCommit } from "./command.ts";

/** Limit for all lines together: years of nights. */
const mostBytesOfAll = 200_000_000;

/**
 * Reads `cells/REPORT/COMMIT.jsonl` at a ref of the repository around a folder, without checking anything out; a
 * sentence without a subject when there is none. A complaint of git that did not stop it becomes a text with a problem.
 * The ref must not begin with a dash.
 */
export async function readHistoryAtRef(
  folder: string,
  ref: string,
  options: GitOptions,
  mostBytes = mostBytesOfAll,
): Promise<readonly HistoryText[] | string> {
  const git = gitIn(folder, options);
  const inside = await git(["rev-parse", "--git-dir"]);
  if (inside.outcome === "not installed") return "is not a folder, and git is not installed";
  if (inside.outcome !== "ok") return "is not a folder, and there is no git repository here";
  const commit = await resolveCommit(git, ref);
  if (commit === undefined) return `is neither a folder nor a ref here${fetchHint(branchOf(ref))}`;
  // One process reads all files. Each line comes as `COMMIT:PATH`, a zero byte, and the line itself. With threads a
  // file is written at once, so that no complaint appears within a line.
  const form = ["--full-name", "--null", "--text", "--no-color", "--no-line-number", "--no-column"];
  const what = ["-e", "", commit, "--", ":(top,glob)cells/*/*.jsonl"];
  const found = await git(["grep", ...form, "--no-textconv", "--threads=2", ...what], 300, mostBytes);
  if (found.outcome === "timed out") return "could not be read within 5 minutes";
  if (Buffer.byteLength(found.text) >= mostBytes) return `holds more than ${mostBytes / 1e6} MB of lines`;
  return textsOf(found, ref, commit);
}

/** Git succeeds when one of several files is missing. It prints nothing when it finds nothing. */
function textsOf({ outcome, text }: GitAnswer, ref: string, commit: string): readonly HistoryText[] | string {
  const { texts, complaints } = readAnswer(text, commit);
  const last = complaints.at(-1);
  if (texts.length === 0 && last === undefined) return "holds no cells/REPORT/COMMIT.jsonl";
  const words = last === undefined ? "git did not finish" : complaintWords(last, complaints.length - 1);
  if (outcome !== "ok") return `could not be read: ${words}`;
  return last === undefined
    ? texts
    : [{ name: ref, text: "", problem: `may be incomplete: ${words}` }, ...texts];
}

function complaintWords(last: string, before: number): string {
  return `git said "${shortenMiddle(last, 300)}"${before > 0 ? `, and ${plural(before, "line")} before it` : ""}`;
}

function readAnswer(answer: string, commit: string): { texts: HistoryText[]; complaints: readonly string[] } {
  const files = new Map<string, string[]>();
  const complaints = new Set<string>(); // git repeats some of them
  for (const each of answer.split("\n")) {
    const end = each.indexOf("\0");
    if (end < 0 || !each.startsWith(`${commit}:`)) {
      if (each.trim() !== "") complaints.add(each);
      continue;
    }
    const name = each.slice(commit.length + 1, end);
    const lines = files.get(name) ?? [];
    lines.push(each.slice(end + 1));
    files.set(name, lines);
  }
  const texts = [...files].map(([name, lines]) => ({ name, text: lines.join("\n") }));
  return { texts, complaints: [...complaints] };
}

/** A clone of one branch, such as a shallow one, keeps another only under a name that the command gives. */
/** Only for a possible branch: a path, or words for a shell, do not belong in a command that somebody copies. */
function fetchHint(branch: string): string {
  if (!/^\w[\w./-]*$/.test(branch)) return "";
  const command = `git fetch origin ${branch}:refs/remotes/origin/${branch}`;
  return `; a branch has to be fetched first, e.g. \`${command}\` for origin/${branch}`;
}

function branchOf(ref: string): string {
  return ref.replace(/^(refs\/(heads|remotes)\/)?(origin\/)?/, "");
}
