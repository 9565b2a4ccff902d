import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { compare } from "../../src/compare/compare.ts";
import { settingsOf } from "../../src/config/file/configuration-file.ts";
import { recording } from "../recordings/recording.ts";
import { renderSummary } from "../report/forms.ts";
import { action, root, textOf } from "./files.ts";

const { demoChoice } = await import(`${root}/scripts/demo/choice.mjs`);
const { renderedComment } = await import(`${root}/scripts/demo/rendered-comment.mjs`);
const { withPullRequest } = await import(`${root}/scripts/demo/repository.mjs`);

describe("what follows `npm run demo --`", () => {
  test.for([
    [[], { what: "pull request", options: [] }],
    [["--vus", "16"], { what: "pull request", options: ["--vus", "16"] }],
    [["workers"], { what: "workers", options: [] }],
    [["workers", "--duration", "3s"], { what: "workers", options: ["--duration", "3s"] }],
  ] as const)("%j", ([words, expected]) => {
    expect(demoChoice(words)).toEqual(expected);
  });

  test.for([
    [["worker"], "worker"],
    [["workers", "2"], "2"],
    [["3s", "--duration"], "3s"],
    [["-h"], "-h"],
    [["--results-directory", "there"], "--results-directory"],
    [["workers", "--install=none"], "--install"],
  ] as const)("%j is one clear sentence", ([words, word]) => {
    const { problem } = demoChoice(words);
    expect(problem).toContain(word);
    expect(problem).toMatch(/^[^.]*(?:\.\w[^.]*)*\.$/);
    expect(problem).not.toContain("\n");
  });
});

describe("the pull request of the demo", () => {
  test("is a branch of a repository with the app, and changes four of its files", async () => {
    const { sleeps, purchases, changed } = await withPullRequest((folder: string) => ({
      sleeps: readFileSync(join(folder, "app/sleeps.py"), "utf8").split("\n"),
      purchases: readFileSync(join(folder, "app/purchases.py"), "utf8").split("\n"),
      changed: readFileSync(join(folder, "app/discounts.py"), "utf8"),
    }));
    expect(changed).toContain("def discounted(");
    // The long test expects these lines in the comment.
    expect(sleeps[21]).toBe("    time.sleep(ms / 1000)");
    expect(purchases[95]).toContain('await connection.execute("SELECT title FROM products');
  });

  test("has settings that are ordinary inputs", () => {
    const settings = textOf("target-app/demo/loadtest.yml");
    expect(settingsOf({ settings }, "/")).toBeDefined();
    const keys = [...settings.matchAll(/^([a-z-]+):/gm)].map(([, key]) => key);
    expect(keys).toEqual(expect.arrayContaining(["app", "workers", "endpoints", "max-minutes"]));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(["workers", "endpoints", "seed"]));
  });
});

describe("the comment in the terminal", () => {
  const show = (markdown: string, isColoured = false): string =>
    renderedComment(markdown, { width: 60, isColoured });

  test("has aligned tables, closed folds and no marks", () => {
    const comment = [
      "<!-- marker -->",
      "## 1 of 2 endpoints got slower\n",
      "**`/orders` is 63% slower**: it runs the same query 10 times, at [`orders.py:10`](https://x/y#L10).\n",
      "| Endpoint | Workers | Change |",
      "| :--- | ---: | ---: |",
      "| `/orders` | 1 | **−63%** |",
      "| `/a\\|b` | 12 | none&nbsp;(±1%) |",
      "| <code>/a/<wbr>{b&#95;c}</code> | 2 | incon&shy;clusive |\n",
      "> [!WARNING]",
      "> - It was loud.\n",
      "- one item that is rather long, so that it has to be broken into two lines",
      "- two\n",
      "<sub>Base &lt;1&gt; and head.<br>",
      "[How this works](https://x/z)</sub>\n",
      "<details><summary>Evidence</summary>\n\nmuch\n\n- of it\n\n</details>\n",
      "<details><summary>More figures</summary>\n\n| a |\n| --- |\n\n</details>",
    ].join("\n");
    expect(show(comment)).toBe(
      [
        "1 of 2 endpoints got slower\n",
        "/orders is 63% slower: it runs the same query 10 times, at",
        "orders.py:10.\n",
        "Endpoint  Workers        Change",
        "/orders         1          −63%",
        "/a|b           12    none (±1%)",
        "/a/{b_c}        2  inconclusive\n",
        "Warning:",
        "- It was loud.\n",
        "- one item that is rather long, so that it has to be broken",
        "  into two lines",
        "- two\n",
        "Base <1> and head.",
        "How this works\n",
        "▸ Evidence",
        "▸ More figures",
      ].join("\n"),
    );
  });

  test("is bold and dim where colours are wanted", () => {
    expect(show("## A **b**\n\n**c**\n\n<sub>d</sub>", true)).toBe(
      "\u001B[1mA b\u001B[22m\n\n\u001B[1mc\u001B[22m\n\n\u001B[2md\u001B[22m",
    );
  });

  test("leaves nothing of a real comment's marks", () => {
    const { plan, measurements } = recording("change");
    const shown = show(renderSummary(compare(plan, measurements)));
    expect(shown).toMatch(/^2 of 3 endpoints got slower/);
    expect(shown).not.toMatch(/[`*]|\]\(|<\/?[a-z]|&\w+;|\\/);
  });
});
