import { execFile } from "node:child_process";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { commitOf } from "../../../src/adapters/git/repository.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { makeRepository, open, openFound, type TestRepository, withPullRequest } from "./git-fixture.ts";

let repository: TestRepository;
beforeEach(async () => {
  repository = await makeRepository();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repository[Symbol.asyncDispose]();
});

const pullRequest = (headSha: string, baseSha: string) =>
  ({ kind: "pull request", headSha, baseSha }) as const;
const ref = (name: string) => ({ kind: "ref", ref: name }) as const;
const absent = "e".repeat(40);

/** Everything by which a user would notice that we were there. */
async function traces({ folder, git }: TestRepository) {
  const shallow = await readFile(join(folder, ".git/shallow"), "utf8").catch(() => "");
  return {
    worktrees: await git("worktree", "list", "--porcelain"),
    status: await git("status", "--porcelain", "--branch"),
    refs: await git("for-each-ref"),
    config: await git("config", "--list", "--local"),
    shallow,
    folders: await Promise.all(
      ["worktrees", "FETCH_HEAD"].map((name) =>
        stat(join(folder, ".git", name)).then(
          () => name,
          () => "",
        ),
      ),
    ),
  };
}

async function removed(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    () => true,
  );
}

describe("of a pull request", () => {
  test("is what the merge was made with, even when the event names an older base", async () => {
    const { fork, head, base } = await withPullRequest(repository);
    const { source, steps, worktree } = await openFound(repository, { base: pullRequest(head, fork) });
    expect(source.commit).toBe(base);
    expect(source.app).toEqual({
      importString: "app:app",
      folder: join(worktree, "api"),
      python: "python3",
      install: "auto",
      variables: { A: "1" },
    });
    expect(await readFile(join(source.app.folder, "app.py"), "utf8")).toBe("start");
    expect(steps).toEqual([`checking out the base, ${base.slice(0, 12)} (what the head is merged into)`]);
    await source[Symbol.asyncDispose]();
  });

  test("is where the head branched off, when the head is checked out", async () => {
    const { fork, head, base } = await withPullRequest(repository);
    await repository.git("switch", "--quiet", "feature");
    const { source } = await openFound(repository, { base: pullRequest(head, base) });
    expect(source.commit).toBe(fork);
    await source[Symbol.asyncDispose]();
  });

  test("is found in a clone of depth 2, as the merge's parents are there", async () => {
    const { head, base, merge } = await withPullRequest(repository);
    await repository.git("branch", "pr-merge", merge);
    const clone = await repository.clone("--depth=2", "--branch=pr-merge");
    await rm(repository.folder, { recursive: true }); // nothing has to be fetched
    const { source } = await openFound(clone, { base: pullRequest(head, base) });
    expect(source.commit).toBe(base);
    await source[Symbol.asyncDispose]();
  });

  test("is fetched into a clone of depth 1", async () => {
    const { head, base, merge } = await withPullRequest(repository);
    await repository.git("branch", "pr-merge", merge);
    const clone = await repository.clone("--depth=1", "--branch=pr-merge");
    const { source } = await openFound(clone, { base: pullRequest(head, base) });
    expect(source.commit).toBe(base);
    expect(await readFile(join(source.app.folder, "../other.txt"), "utf8")).toBe("base");
    await source[Symbol.asyncDispose]();
    expect((await traces(clone)).folders).toEqual(["", ""]);
  });

  test("is the tip of the base for a shallow checkout of the head, and it says so", async () => {
    const { head, base } = await withPullRequest(repository);
    const clone = await repository.clone("--depth=1", "--branch=feature");
    const { source, steps } = await openFound(clone, { base: pullRequest(head, base) });
    expect(source.commit).toBe(base);
    expect(steps[0]).toContain("this checkout does not show where the head branched off");
    await source[Symbol.asyncDispose]();
  });

  test("is none when it can neither be found nor fetched", async () => {
    const { head, base, merge } = await withPullRequest(repository);
    await repository.git("branch", "pr-merge", merge);
    const clone = await repository.clone("--depth=1", "--branch=pr-merge");
    await rm(repository.folder, { recursive: true });
    const { outcome } = await open(clone, { base: pullRequest(head, base) });
    expect(outcome).toEqual({
      kind: "none",
      reason: `the base ${base.slice(0, 12)} is not in this checkout, and fetching it failed; check out with \`fetch-depth: 0\``,
      logTail: expect.stringContaining("does not appear to be a git repository"),
    });
  });

  test("fetching does not make a whole clone a shallow one", async () => {
    const { head } = await withPullRequest(repository);
    const clone = await repository.clone("--branch=feature");
    await repository.git("switch", "--quiet", "main");
    const later = await repository.commit("later");
    const { source } = await openFound(clone, { base: pullRequest(head, later) });
    await source[Symbol.asyncDispose]();
    expect((await traces(clone)).shallow).toBe("");
  });

  test("is where another commit branched off, when the base is at hand", async () => {
    const { fork, head } = await withPullRequest(repository);
    await repository.git("switch", "--quiet", "feature");
    await repository.commit("formatted by the workflow");
    const { source } = await openFound(repository, { base: pullRequest(head, fork) });
    expect(source.commit).toBe(fork);
    await source[Symbol.asyncDispose]();
  });

  test("is none when the checkout has to do with neither side", async () => {
    const { merge } = await withPullRequest(repository);
    const { outcome } = await open(repository, { base: pullRequest("d".repeat(40), absent) });
    expect(outcome).toEqual({
      kind: "none",
      reason: `the commit checked out, ${merge.slice(0, 12)}, is neither the head of the pull request, dddddddddddd, nor its merge with the base; and the base, eeeeeeeeeeee, is not in this checkout`,
      logTail: "",
    });
  });

  test("is none when the base itself is checked out", async () => {
    const { head, base } = await withPullRequest(repository);
    await repository.git("switch", "--quiet", "main");
    const { outcome } = await open(repository, { base: pullRequest(head, base) });
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/ is the base itself$/) });
  });

  test("is not taken from a commit's message", async () => {
    const { fork } = await withPullRequest(repository);
    const head = "c".repeat(40);
    await repository.git("switch", "--quiet", "main");
    await repository.commit(`sly\n\nparent ${fork}\nparent ${head}\n`);
    const { outcome } = await open(repository, { base: pullRequest(head, absent) });
    expect(outcome.kind).toBe("none");
  });
});

describe("of a ref", () => {
  test.for([
    ["a branch", "main"],
    ["a branch only of the remote", "gone"],
    ["a tag", "v1"],
    ["a commit", ""],
    ["a revision", "HEAD~1"],
    ["a name beyond ASCII", "größe/ü"],
  ] as const)("is %s", async ([, name]) => {
    const base = await repository.commit("base", { "api/app.py": "base" });
    await repository.git("branch", "größe/ü");
    await repository.git("tag", "--annotate", "--message=x", "v1");
    await repository.git("update-ref", "refs/remotes/origin/gone", base);
    await repository.git("switch", "--quiet", "--create", "work");
    await repository.commit("head", { "api/app.py": "head" });
    const { source } = await openFound(repository, { base: ref(name || base) });
    expect(source.commit).toBe(base);
    expect(await readFile(join(source.app.folder, "app.py"), "utf8")).toBe("base");
    await source[Symbol.asyncDispose]();
  });

  test.for(["--upload-pack=x", "-h", "a b", "nosuch/../../x", "HEAD~7", "main:api"])(
    "is not %j",
    async (name) => {
      await repository.commit("base", { "api/app.py": "base" });
      const opened = open(repository, { base: ref(name) });
      await expect(opened).rejects.toThrow(InputError);
      await expect(opened).rejects.toThrow(
        `base-ref: ${JSON.stringify(name)} is not a branch, tag or commit of the repository at `,
      );
    },
  );

  test("may have been meant otherwise", async () => {
    await repository.commit("base", { "api/app.py": "base" });
    await expect(open(repository, { base: ref("mian") })).rejects.toThrow(/; did you mean main\?$/);
  });

  test("may be missing because the clone is shallow", async () => {
    await repository.commit("base", { "api/app.py": "base" });
    await repository.git("tag", "v1");
    await repository.commit("head");
    const clone = await repository.clone("--depth=1");
    await expect(open(clone, { base: ref("stable-2") })).rejects.toThrow(
      /; this clone is shallow: check out with `fetch-depth: 0`$/,
    );
  });
});

test("of a control is the head itself", async () => {
  const head = await repository.commit("head", { "api/app.py": "x", "seed.sql": "x" });
  const { source, worktree } = await openFound(repository, {
    base: { kind: "control" },
    seedFiles: ["seed.sql"],
  });
  expect(source).toMatchObject({
    app: { folder: join(repository.folder, "api") },
    seed: { seedFiles: [join(repository.folder, "seed.sql")], scale: 0.01, variable: "DATABASE_URL" },
    commit: head,
  });
  await source[Symbol.asyncDispose]();
  expect(await removed(worktree)).toBe(true);
});

describe("is none", () => {
  test("when nobody asked for one", async () => {
    expect((await open(repository, { base: { kind: "none" } })).outcome.kind).toBe("none");
  });

  test("outside of a repository", async () => {
    await rm(join(repository.folder, ".git"), { recursive: true });
    await repository.write("api/app.py", "x");
    const { outcome } = await open(repository, { base: ref("main") });
    expect(outcome).toMatchObject({
      reason: `${join(repository.folder, "api")} is not in the working tree of a git repository`,
      logTail: expect.stringContaining("not a git repository"),
    });
    expect((await openFound(repository, { base: { kind: "control" } })).source.commit).toBeUndefined();
  });

  test("without git", async () => {
    await repository.write("api/app.py", "x");
    vi.stubEnv("PATH", repository.folder);
    expect((await open(repository, { base: ref("main") })).outcome).toMatchObject({
      reason: "git is not installed",
    });
  });

  test("before the first commit", async () => {
    await repository.write("api/app.py", "x");
    expect((await open(repository, { base: ref("main") })).outcome).toMatchObject({
      reason: "the repository has no commit yet",
    });
  });

  test("when the app is new", async () => {
    const base = await repository.commit("base", { "other/x": "x" });
    await repository.commit("head", { "new/api/app.py": "x" });
    const { outcome, worktree } = await open(repository, { base: ref(base), appFolder: "new/api" });
    expect(outcome).toMatchObject({
      reason: `the folder "new/api" does not exist in the base ${base.slice(0, 12)}`,
    });
    expect(await removed(worktree)).toBe(true);
    expect((await traces(repository)).folders).toEqual(["", ""]);
  });

  test("when it cannot be checked out", async () => {
    const base = await repository.commit("base", { "api/app.py": "x" });
    const blob = await repository.git("rev-parse", "HEAD:api/app.py");
    await repository.commit("head", { "api/app.py": "y" });
    // The blob alone: a commit may share its folder.
    await rm(join(repository.folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const { outcome } = await open(repository, { base: ref(base) });
    expect(outcome).toMatchObject({
      reason: `the base ${base.slice(0, 12)} could not be checked out`,
      logTail: expect.stringContaining(blob),
    });
    expect((await traces(repository)).folders).toEqual(["", ""]);
  });
});

describe("the user's repository", () => {
  test("is afterwards as it was, with what is not committed yet", async () => {
    await repository.commit("base", { "app.py": "base" });
    await repository.commit("head", { "app.py": "head" });
    await repository.write("app.py", "not committed");
    await repository.write("new.py", "not added");
    const before = await traces(repository);
    const { source, worktree } = await openFound(repository, { base: ref("HEAD~1"), appFolder: "." });
    expect(await readFile(join(source.app.folder, "app.py"), "utf8")).toBe("base");
    await writeFile(join(source.app.folder, "made-by-the-app.txt"), "x");
    await source[Symbol.asyncDispose]();
    expect(await traces(repository)).toEqual(before);
    expect(await removed(worktree)).toBe(true);
    expect(await readFile(join(repository.folder, "app.py"), "utf8")).toBe("not committed");
  });

  test("is as it was when the worktree's folder is already gone", async () => {
    await repository.commit("base", { "api/app.py": "base" });
    const before = await traces(repository);
    const { source, worktree } = await openFound(repository, { base: ref("main") });
    await rm(worktree, { recursive: true });
    await source[Symbol.asyncDispose]();
    expect(await traces(repository)).toEqual(before);
  });

  test("is as it was after cancelling, at whatever moment", async () => {
    const files = Array.from({ length: 300 }, (_, index) => [`api/${index}.txt`, "x".repeat(1_000)]);
    await repository.commit("base", Object.fromEntries(files));
    const before = await traces(repository);
    for (const milliseconds of [0, 10, 20, 30, 40, 60]) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(new Error("cancelled")), milliseconds);
      try {
        const { outcome, worktree } = await open(repository, {
          base: ref("main"),
          signal: controller.signal,
        });
        clearTimeout(timer);
        controller.abort(new Error("cancelled")); // while it is in use
        if (outcome.kind === "found") await outcome.source[Symbol.asyncDispose]();
        expect(await removed(worktree)).toBe(true);
      } catch (error) {
        expect(error).toEqual(new Error("cancelled"));
      }
      expect(await traces(repository)).toEqual(before);
    }
  });

  test("may have submodules, which stay out of it", async () => {
    const elsewhere = await repository.commit("of another repository");
    await repository.commit("base", { "api/app.py": "base" });
    await repository.git("update-index", "--add", "--cacheinfo", `160000,${elsewhere},api/vendor`);
    await repository.git("commit", "--quiet", "--message", "submodule");
    const before = await traces(repository);
    const { source } = await openFound(repository, { base: ref("main") });
    await source[Symbol.asyncDispose]();
    expect(await traces(repository)).toEqual(before);
  });

  test.skipIf(process.getuid?.() !== 0)("may belong to another user", async () => {
    await repository.commit("base", { "api/app.py": "base" });
    await promisify(execFile)("chown", ["--recursive", "12345:12345", repository.folder]);
    const { source } = await openFound(repository, { base: ref("main") });
    expect(await readFile(join(source.app.folder, "app.py"), "utf8")).toBe("base");
    await source[Symbol.asyncDispose]();
    expect(await removed(join(repository.folder, ".git/worktrees"))).toBe(true);
  });

  test("runs no hook, no filter and no monitor of its own", async () => {
    const trap = join(repository.folder, "..", "trap");
    const spring = `touch ${trap}; cat`;
    await repository.commit("base", {
      "api/app.py": "base",
      "api/model.bin": "version https://git-lfs.github.com/spec/v1\n",
      ".gitattributes": "*.bin filter=lfs\n",
    });
    await repository.git("config", "core.fsmonitor", spring);
    await repository.git("config", "filter.lfs.smudge", spring);
    await repository.git("config", "filter.lfs.process", spring);
    await repository.git("config", "filter.lfs.required", "true");
    await writeFile(join(repository.folder, ".git/hooks/post-checkout"), `#!/bin/sh\n${spring}\n`, {
      mode: 0o755,
    });
    const { source } = await openFound(repository, { base: ref("main") });
    expect(await readFile(join(source.app.folder, "model.bin"), "utf8")).toMatch(/^version/);
    await source[Symbol.asyncDispose]();
    expect(await removed(trap)).toBe(true);
  });
});

test("an environment of the user's own stays where it is", async () => {
  await repository.commit("base", { "api/app.py": "base" });
  const install = { environmentFolder: join(repository.folder, "venv") };
  const { source } = await openFound(repository, { base: ref("main"), install });
  expect(source.app.install).toEqual(install);
  await source[Symbol.asyncDispose]();
});

describe("seed files", () => {
  const start = { "api/app.py": "x", "sql/1.sql": "schema", "sql/2.sql": "rows" };
  const seeds = async (head: Readonly<Record<string, string>>, seedFiles: readonly string[]) => {
    const base = await repository.commit("base", start);
    await repository.commit("head", { "api/app.py": "y", ...head });
    const { source, worktree } = await openFound(repository, { base: ref(base), seedFiles });
    const names = source.seed?.seedFiles.map((path) =>
      path.startsWith(worktree)
        ? `base:${path.slice(worktree.length + 1)}`
        : path.replace(`${repository.folder}/`, ""),
    );
    await source[Symbol.asyncDispose]();
    return names;
  };

  test("are the head's when they are the same", async () => {
    expect(await seeds({}, ["sql/2.sql", "sql/1.sql"])).toEqual(["sql/2.sql", "sql/1.sql"]);
  });

  test("are all the base's own when one differs", async () => {
    expect(await seeds({ "sql/2.sql": "other" }, ["sql/1.sql", "sql/2.sql"])).toEqual([
      "base:sql/1.sql",
      "base:sql/2.sql",
    ]);
  });

  test("are the base's own when one includes others, which may differ", async () => {
    const including = { "sql/all.sql": "\\ir 1.sql\n" };
    await repository.commit("before", including);
    expect(await seeds({ "sql/1.sql": "other" }, ["sql/all.sql"])).toEqual(["base:sql/all.sql"]);
  });

  test("leave out what only the head has", async () => {
    expect(await seeds({ "sql/3.sql": "index" }, ["sql/1.sql", "sql/2.sql", "sql/3.sql"])).toEqual([
      "base:sql/1.sql",
      "base:sql/2.sql",
    ]);
  });

  test("are the head's when the base has none of them", async () => {
    expect(await seeds({ "new/1.sql": "a", "new/2.sql": "b" }, ["new/1.sql", "new/2.sql"])).toEqual([
      "new/1.sql",
      "new/2.sql",
    ]);
  });

  test("stay where they are outside of the repository, and when git ignores them", async () => {
    await writeFile(join(repository.folder, "../outside.sql"), "x");
    await repository.write(".gitignore", "build/\n");
    await repository.write("build/rows.sql", "generated");
    const names = await seeds({ "sql/1.sql": "new" }, ["sql/1.sql", "build/rows.sql", "../outside.sql"]);
    expect(names).toEqual(["base:sql/1.sql", "build/rows.sql", join(repository.folder, "../outside.sql")]);
  });
});

test("the commit of a folder is told without more ado", async () => {
  const head = await repository.commit("head", { "api/app.py": "x" });
  const options = { logFolder: dirname(repository.folder), signal: new AbortController().signal };
  expect(await commitOf(join(repository.folder, "api"), options)).toBe(head);
  await expect(
    commitOf(repository.folder, { ...options, signal: AbortSignal.abort(new Error("x")) }),
  ).rejects.toThrow("x");
});

describe("what lies in the repository is the arm's own", () => {
  const base = (requirements: Readonly<Record<string, string>>) =>
    repository.commit("base", { "api/app.py": "x", ".gitignore": ".env\nbuilt.txt\n", ...requirements });
  const installed = async (names: string) => {
    const install = { requirementsFile: join(repository.folder, names) };
    return await open(repository, { base: ref("HEAD~1"), install });
  };
  const fileOf = (outcome: Awaited<ReturnType<typeof open>>["outcome"]) => {
    const install = outcome.kind === "none" ? undefined : outcome.source.app.install;
    return typeof install === "object" && "requirementsFile" in install
      ? install.requirementsFile
      : undefined;
  };

  test("a requirements file that the head changed", async () => {
    await base({ "requirements/prod.txt": "jsonschema==4.17.3\n" });
    await repository.commit("head", { "requirements/prod.txt": "jsonschema==4.26.0\n" });
    const { outcome, worktree } = await installed("requirements/prod.txt");
    expect(fileOf(outcome)).toBe(join(worktree, "requirements/prod.txt"));
    expect(await readFile(fileOf(outcome) ?? "", "utf8")).toBe("jsonschema==4.17.3\n");
  });

  test("one that the base has not: nobody knows what that needs", async () => {
    await base({});
    await repository.commit("head", { "requirements/prod.txt": "x\n" });
    expect((await installed("requirements/prod.txt")).outcome).toMatchObject({
      kind: "none",
      reason: 'install: the base has no file "requirements/prod.txt", so its requirements are unknown',
    });
  });

  test.for(["built.txt", "../outside.txt"])("but not %s, which no commit brings", async (name) => {
    await base({});
    await repository.commit("head");
    await writeFile(join(repository.folder, name), "x\n");
    expect(fileOf((await installed(name)).outcome)).toBe(join(repository.folder, name));
  });

  test("environment files that are committed; those that git ignores are this machine's", async () => {
    await base({ "api/.env.test": "A=base\n", "api/src/a.py": "" });
    await repository.commit("head", { "api/.env.test": "A=head\n" });
    await repository.write("api/.env", "SECRET=1\n");
    await repository.write("api/src/.env", "BELOW=1\n");
    await repository.write(".env", "TOP=1\n");
    await repository.write("api/.env.new", "B=head\n"); // neither committed nor ignored: a change of the head's
    const { source } = await openFound(repository, { base: ref("HEAD~1") });
    const read = (name: string) => readFile(join(source.app.folder, name), "utf8").catch(() => undefined);
    const names = [".env", "../.env", "src/.env", ".env.test", ".env.new"];
    expect(await Promise.all(names.map(read))).toEqual([
      "SECRET=1\n",
      "TOP=1\n",
      "BELOW=1\n",
      "A=base\n",
      undefined,
    ]);
  });

  test("the environment file that the app must find, made where the base has none", async () => {
    await base({});
    await repository.commit("head", { "api/src/.env": "A=head\n" });
    const { source } = await openFound(repository, { base: ref("HEAD~1"), environmentFile: "src/.env" });
    expect(await readFile(join(source.app.folder, "src/.env"), "utf8")).toBe("");
  });
});
