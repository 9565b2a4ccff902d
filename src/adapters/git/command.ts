import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { isCode, jobWithinMs, readTail, runProcess, startDeadline } from "../process/index.ts";

export interface GitOptions {
  readonly logFolder: string;
  readonly signal: AbortSignal;
}

export interface GitAnswer {
  readonly outcome: "ok" | "failed" | "timed out" | "not installed";
  /** Git's output and messages together. Messages come first, as git looks around before it answers. */
  readonly text: string;
}

/** Runs git in one folder. Rejects only when aborted. Keeps the last `mostBytes` of the output. */
export type Git = (
  args: readonly string[],
  timeoutSeconds?: number,
  mostBytes?: number,
) => Promise<GitAnswer>;

/** Enough for a commit with a long message, or a list of branches. */
const usualBytes = 1_000_000;

const settings = {
  "safe.directory": "*", // the folder may belong to another user (a container's checkout)
  // A repository's configuration may name programs. None of them has to run for our questions.
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "credential.helper": "",
  // Large files stay pointers, as they are in git: fetching them needs a program, a network and a token.
  "filter.lfs.process": "",
  "filter.lfs.smudge": "",
  "filter.lfs.clean": "",
  "filter.lfs.required": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "advice.detachedHead": "false",
} as const;

const variables = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_OPTIONAL_LOCKS: "0", // reading must not write
  LC_ALL: "C.UTF-8",
} as const;

/** Git in a folder. Nothing waits for a password, and no hook or filter runs. */
export function gitIn(folder: string, options: GitOptions): Git {
  const configured = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return async (args, timeoutSeconds = 60, mostBytes = usualBytes) => {
    const logPath = join(options.logFolder, `git-${randomUUID()}.log`);
    using deadline = startDeadline({ ms: timeoutSeconds * 1_000, signal: options.signal });
    const answer = async (outcome: GitAnswer["outcome"]) => ({
      outcome,
      text: await readTail(logPath, mostBytes),
    });
    try {
      const argv = ["git", ...configured, "-C", folder, ...args] as const;
      const logBounds = { mostBytes: 2 * mostBytes, keptBytes: mostBytes };
      const { code } = await runProcess(
        { argv, variables, logPath, logBounds, withinMs: jobWithinMs },
        deadline.signal,
      );
      return await answer(code === 0 ? "ok" : "failed");
    } catch (error) {
      if (!deadline.isOver) options.signal.throwIfAborted();
      if (isCode(error, "ENOENT")) return answer("not installed");
      if (deadline.isOver) return answer("timed out");
      throw error;
    }
  };
}

/** The paths of an answer to a command with `-z`. */
export function pathsIn({ text }: GitAnswer): string[] {
  return text.split("\0").filter((path) => path !== "");
}

/** The last line of an answer: the result of commands that have one line. */
export function lastLine({ text }: GitAnswer): string {
  return text.replace(/\n$/, "").split("\n").at(-1) ?? "";
}

export function commitIn(answer: GitAnswer): string | undefined {
  const line = lastLine(answer);
  return answer.outcome === "ok" && /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
}

/** The full name of a commit in the repository; `undefined` when there is none by that name. */
export async function resolveCommit(git: Git, name: string): Promise<string | undefined> {
  return commitIn(await git(["rev-parse", "--verify", `${name}^{commit}`]));
}
