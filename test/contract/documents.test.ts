import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { ourRepository, root, textOf } from "./files.ts";

const tracked = execFileSync("git", ["ls-files", "-z"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 50_000_000,
})
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const pages = tracked.filter((path) => path.endsWith(".md") && !path.startsWith("test/samples/"));

describe("links and pictures", () => {
  test.for(pages)("of %s exist, with the headings that they name", (path) => {
    expect(linksOf(textOf(path)).filter((link) => !leadsSomewhere(path, link))).toEqual([]);
  });

  test("that programs and workflows name exist", () => {
    const texts = tracked.filter((path) => /^(?:src|scripts|page|examples|\.github|action\.yml)/.test(path));
    const named = texts.flatMap(
      (path) => textOf(path).match(/(?<![\w/-])docs\/(?:[\w-]+\/)?[\w-]+\.md(?:#[\w-]+)?/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((link) => !leadsSomewhere("README.md", link))).toEqual([]);
  });

  test("are found in a page, and missed when they lead nowhere", () => {
    const page = "[a](docs/page.md#size) ![b](docs/images/none.png) [c](https://x.org) [d](#none)";
    expect(linksOf(page).filter((link) => !leadsSomewhere("README.md", link))).toEqual([
      "docs/images/none.png",
      "#none",
    ]);
  });
});

function linksOf(page: string): string[] {
  return [...page.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
}

function leadsSomewhere(path: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? path : join(dirname(path), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(textOf(target)).includes(anchor);
}

/** As GitHub names headings. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** A block of commands, with the comment above it that says who runs it. */
const commandBlocks = (page: string) =>
  [...page.matchAll(/(?:^<!-- (run by|not run): (.+) -->\n)?^```(?:console|sh|bash)\n([\s\S]*?)^```$/gm)].map(
    ([, mark, by = "", commands = ""]) => ({ mark, by, commands: commands.trim().split("\n") }),
  );

/** What a test has to name to run a command: its verb, or the script of package.json. */
const verbOf = (command: string) =>
  /^node \S*dist\/(?:cli|reproduce)\.js ([\w-]+)|^npm (?:run )?([\w:-]+)/
    .exec(command)
    ?.slice(1)
    .find(Boolean);

describe("commands", () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    textOf("package.json"),
  );

  const ofReaders = pages.filter((path) => /^(?:docs|examples)\/|^\w+\.md$/.test(path));

  const unmarked = (page: string) =>
    commandBlocks(page).filter(({ mark, by, commands }) => {
      if (mark !== "run by") return mark === undefined;
      if (!existsSync(join(root, "test", by))) return true;
      const verbs = commands.flatMap((command) => verbOf(command) ?? []);
      return !verbs.every((verb) => textOf(join("test", by)).includes(`"${verb}"`));
    });

  test.for(ofReaders)(
    "of %s are run by the test that a comment above them names, or marked as not run",
    (path) => {
      expect(unmarked(textOf(path))).toEqual([]);
    },
  );

  test.for(pages)("of %s name scripts that there are", (path) => {
    const named = [...textOf(path).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test("without a mark, or with a test that does not run them, are found", () => {
    const block = "```console\nnode dist/cli.js plan\n```\n";
    const missed = (mark: string) => unmarked(mark + block).length;
    expect(missed("")).toBe(1);
    expect(missed("<!-- run by: none.test.ts -->\n")).toBe(1);
    expect(missed("<!-- run by: contract/owner.test.ts -->\n")).toBe(1);
    expect(missed("<!-- run by: commands/arguments.test.ts -->\n")).toBe(0);
    expect(missed("<!-- not run: takes hours -->\n")).toBe(0);
  });
});

describe("a page of docs/", () => {
  const ofDocs = pages.filter((path) => path.startsWith("docs/") && !path.startsWith("docs/reports/"));

  test.for(ofDocs)("%s begins with its readers", (path) => {
    expect(textOf(path)).toMatch(/^# .+\n\nFor [a-z]/);
  });

  test("is short enough for all of them to be read", () => {
    const texts = ofDocs.map(textOf);
    const counted = texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== "");
    expect(counted.length, "as `wc -w` counts").toBeLessThanOrEqual(30_000);
    // Rows without spaces around their bars must not hide words from that count.
    const written = texts.flatMap((text) => text.split(/[\s|]+/)).filter((word) => /[a-z\d]/i.test(word));
    expect(written.length, "words, each cell apart").toBeLessThanOrEqual(30_000);
  });
});

/** Programs that fetch a package by its name and run it, or make it a command. */
const fetching =
  /\b(?:npx|npm (?:exec|x)|(?:pnpm|yarn) dlx|bunx|uvx|uv tool run|pipx run|(?:npm|pnpm) (?:i|install|add) -g)[ \t]+((?:-\S+[ \t]+)*)([\w@"'$][^\s`]*)/g;

describe("a package that is run by its name is ours", () => {
  const { devDependencies }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    textOf("package.json"),
  );
  const release = new RegExp(
    String.raw`^https://github\.com/${ourRepository}/releases/download/v\d+\.\d+\.\d+/fastapi-loadtest\.tgz$`,
  );
  /** Packages that a text runs and that are neither pinned by our lock file nor a release of ours. */
  const unowned = (text: string) =>
    [...text.matchAll(fetching)]
      .map(([, , name = ""]) => name)
      .filter((name) => !Object.hasOwn(devDependencies, name) && !release.test(name));

  test("in every text of the repository", () => {
    const texts = tracked.filter(
      (path) =>
        !/^(?:dist|test\/samples)\/|\.(?:png|json|lock)$/.test(path) &&
        path !== "test/contract/documents.test.ts",
    );
    expect(texts.length).toBeGreaterThan(500);
    const found = texts.flatMap((path) => unowned(textOf(path)).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
  });

  test.for<[string, string[]]>([
    ["npx fastapi-loadtest init", ["fastapi-loadtest"]],
    ["- npx --yes fastapi-loadtest-action@1 run", ["fastapi-loadtest-action@1"]],
    ["pnpm dlx fastapi-loadtest, or uvx fastapi-loadtest", ["fastapi-loadtest,", "fastapi-loadtest"]],
    ["`npx vitest run`, and the package for `npx`", []],
    [`npx --yes https://github.com/${ourRepository}/releases/download/v1.0.0/fastapi-loadtest.tgz run`, []],
    [
      `npx https://github.com/${ourRepository}/releases/latest/download/fastapi-loadtest.tgz`,
      [`https://github.com/${ourRepository}/releases/latest/download/fastapi-loadtest.tgz`],
    ],
  ])("%s runs %j of others", ([text, names]) => {
    expect(unowned(text)).toEqual(names);
  });
});
