import { existsSync, realpathSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import type { BisectAnswer } from "../../model/bisection/bisection.ts";
import type { CommitRange, NextCommit } from "../../ports/run.ts";
import { baseOfRef } from "./base-commit.ts";
import { type Git, type GitOptions, gitIn, lastLine, resolveCommit } from "./command.ts";
import { shareEnvironmentFiles } from "./environment-files.ts";
import { type GitRepository, openRepository, short } from "./repository.ts";

interface RangeOptions extends GitOptions {
  /** The checkout is made here, in a folder `bisect`. */
  readonly workFolder: string;
}

/** The files of a large repository take their time. */
const checkoutSeconds = 300;

export async function openCommitRange(
  folder: string,
  refs: { readonly good: string; readonly bad: string },
  options: RangeOptions,
): Promise<CommitRange> {
  const theirs = await openRepository(folder, options);
  if ("kind" in theirs) throw new InputError([`bisect: ${theirs.reason}`]);
  const good = (await baseOfRef(theirs, refs.good, "good")).sha;
  const bad = (await baseOfRef(theirs, refs.bad, "bad")).sha;
  if (good === bad) throw new InputError([`bad: ${refs.bad} is the same commit as good, ${short(good)}`]);
  const isAncestor = async (one: string, other: string) =>
    (await theirs.git(["merge-base", "--is-ancestor", one, other])).outcome === "ok";
  if (!(await isAncestor(good, bad))) {
    const isReversed = await isAncestor(bad, good);
    throw new InputError([
      `good: ${refs.good} is not a commit before ${refs.bad}${isReversed ? ", but after it; swap them" : ""}`,
    ]);
  }
  const top = join(options.workFolder, "bisect");
  const git = await sharedCheckout(theirs, top, options);
  const checkOut = async (commit: string) => {
    await git(["clean", "-ffdxq"]);
    const { outcome, text } = await git(
      ["checkout", "--quiet", "--force", "--detach", commit],
      checkoutSeconds,
    );
    if (outcome !== "ok")
      throw new EnvironmentError("install", `${short(commit)} could not be checked out`, { logTail: text });
    await shareEnvironmentFiles(theirs, top);
  };
  const count = async (...range: string[]) => Number(lastLine(await git(["rev-list", "--count", ...range])));
  await checkOut(bad);
  return {
    good,
    bad,
    commits: await count(bad, `^${good}`),
    at: (path) => placeIn(top, theirs.topFolder, path),
    checkOut,
    next: async (answers) => {
      await git(["clean", "-ffdxq"]);
      await git(["reset", "--hard", "--quiet"]);
      return await nextAfter(answers, { good, bad }, git, options.workFolder);
    },
    describe: async (commit) => lastLine(await git(["log", "-1", "--format=%an, %cs: %s", commit])),
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true }),
  };
}

/** A repository with the objects of another one, which it only reads. */
async function sharedCheckout(theirs: GitRepository, top: string, options: GitOptions): Promise<Git> {
  const within = gitIn(theirs.topFolder, options);
  const pathOf = async (name: string) =>
    resolve(theirs.topFolder, lastLine(await within(["rev-parse", "--git-path", name])));
  const format = lastLine(await within(["rev-parse", "--show-object-format"]));
  await rm(top, { recursive: true, force: true });
  await mkdir(top, { recursive: true });
  const inside = gitIn(top, options);
  const made = await inside(["init", "--quiet", "--template=", `--object-format=${format}`]);
  if (made.outcome !== "ok")
    throw new EnvironmentError("install", "no repository could be created for bisecting", {
      logTail: made.text,
    });
  const info = join(top, ".git", "objects", "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "alternates"), `${await pathOf("objects")}\n`);
  if (theirs.isShallow) await copyFile(await pathOf("shallow"), join(top, ".git", "shallow"));
  // If an app removes that folder, git must not take a repository around it instead, and reset that one.
  return (args, ...limits) => inside(["--git-dir=.git", "--work-tree=.", ...args], ...limits);
}

function placeIn(top: string, theirTop: string, path: string): string {
  const inside = relative(theirTop, existsSync(path) ? realpathSync(path) : path);
  const isOutside = isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`);
  return isOutside ? path : join(top, inside);
}

/** Git itself chooses, after the same answers each time. */
async function nextAfter(
  answers: readonly BisectAnswer[],
  { good, bad }: { readonly good: string; readonly bad: string },
  git: Git,
  workFolder: string,
): Promise<NextCommit> {
  const log = join(workFolder, "bisect.log");
  const lines = answers.map(({ commit, answer }) => `git bisect ${answer} ${commit}\n`);
  await writeFile(log, `git bisect start '${bad}' '${good}'\n${lines.join("")}`);
  const { text: messages } = await git(["bisect", "replay", log], checkoutSeconds);
  const { text } = await git(["bisect", "log"]);
  const [, found] = /^# first bad commit: \[([0-9a-f]{40,64})\]/m.exec(text) ?? [];
  if (found !== undefined) return { kind: "found", commit: found };
  const possible = [...text.matchAll(/^# possible first bad commit: \[([0-9a-f]{40,64})\]/gm)];
  if (possible.length > 0) return { kind: "among", commits: possible.map(([, commit = ""]) => commit) };
  const commit = await resolveCommit(git, "HEAD");
  const left = await git(["rev-list", "--count", "refs/bisect/bad", "--not", "--glob=refs/bisect/good-*"]);
  if (commit === undefined || left.outcome !== "ok")
    throw new EnvironmentError("install", "git bisect did not name a commit", { logTail: messages });
  return { kind: "test", commit, left: Number(lastLine(left)) };
}
