import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { examplePaths, ourRepository, root, textOf, workflowPaths } from "./files.ts";
import { trustProblems, type YamlText, yamlBlocks } from "./trust-rules.ts";

const filesIn = (folder: string, end: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => end.test(name))
    .map((name) => `${folder}/${name}`);
const prose = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...filesIn("docs", /\.md$/),
  ...filesIn("reproduce/scenarios", /\.md$/),
];

/** Every YAML block of the docs that is about workflows. */
const blocks: readonly YamlText[] = prose.flatMap((path) =>
  yamlBlocks(textOf(path))
    .map((text, index) => ({ place: `${path}, block ${index + 1}`, text }))
    .filter(({ text }) => /^(?:on|jobs|steps|permissions|\s*- uses):?/m.test(text)),
);
/** Examples in the heads of workflows. */
const heads: readonly YamlText[] = workflowPaths.flatMap((path) => {
  const [head = ""] = textOf(path).split(/^\w/m);
  const example = head
    .split("\n")
    .filter((line) => line.startsWith("#   "))
    .map((line) => line.slice(4))
    .join("\n");
  return example === "" ? [] : [{ place: `${path}, head`, text: example }];
});
const shipped: readonly YamlText[] = ["action.yml", ...workflowPaths, ...examplePaths].map((place) => ({
  place,
  text: textOf(place),
}));

test.for([...shipped, ...heads, ...blocks])(
  "T1, T11, T12, T13, T23, T28: $place keeps the trust zones apart",
  (yaml) => {
    expect(trustProblems(yaml)).toEqual([]);
  },
);

test("T11: GitLab's job with the token leaves the folder of the project, where measured code may have left an .npmrc", () => {
  const [block = ""] = yamlBlocks(textOf("docs/gitlab.md")).filter((text) =>
    text.includes("load-test-note:"),
  );
  const [first = "", second = ""] = block.split("\n").filter((line) => line.startsWith("    - "));
  expect(first).toMatch(/^ {4}- cd "\$\(mktemp -d\)"(?: |$)/);
  expect(second).toMatch(/- npx\b/);
  expect(second).toContain('--results-directory "$CI_PROJECT_DIR/');
});

test("there is something to look at", () => {
  expect(shipped.map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      "action.yml",
      ".github/workflows/loadtest.yml",
      ".github/workflows/post-report.yml",
    ]),
  );
  expect(heads).toHaveLength(2);
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  expect(prose).toEqual(
    expect.arrayContaining(["docs/reports/README.md", "reproduce/scenarios/one-keyword.md"]),
  );
});

test.for<readonly [where: string, page: string]>([
  ["in a list", "1. Say:\n\n   ```yaml\n   jobs:\n     a: 1\n   ```\n"],
  ["in a quote", "> ```yml\n> jobs:\n>   a: 1\n> ```\n"],
  ["with tildes and a title", '~~~yaml title="x"\njobs:\n  a: 1\n~~~\n'],
  ["with a long fence", "````yaml\njobs:\n  a: 1\n````\n"],
])("YAML %s is looked at, too", ([, page]) => {
  expect(yamlBlocks(page)).toEqual(["jobs:\n  a: 1\n"]);
});

/** What somebody could do to one of our files: a text, what it becomes, and the rule that must tell. */
const mutants: readonly (readonly [place: string, from: string | RegExp, to: string, problem: string])[] = [
  [
    ".github/workflows/ci.yml",
    "pull_request:",
    "pull_request_target:",
    "T1: it is started by pull_request_target",
  ],
  [
    "README.md",
    /on: \[?pull_request\]?|on:\n {2}pull_request:/,
    "on: pull_request_target",
    "T1: it is started by",
  ],
  [
    ".github/workflows/post-report.yml",
    "      - id: post\n",
    "      - run: ls\n      - id: post\n",
    "runs a script",
  ],
  [
    ".github/workflows/post-report.yml",
    "      - id: post\n",
    `      - uses: actions/checkout@${"a".repeat(40)} # v7.0.1\n        with: { persist-credentials: false }\n      - id: post\n`,
    "T1: a privileged workflow uses actions/checkout",
  ],
  [
    ".github/workflows/post-report.yml",
    "      - id: post\n",
    `      - uses: actions/download-artifact@${"a".repeat(40)} # v7.0.1\n      - id: post\n`,
    "T1: a privileged workflow uses actions/download-artifact",
  ],
  [
    ".github/workflows/loadtest.yml",
    "      # No checkout: nothing",
    `      - uses: actions/checkout@${"a".repeat(40)} # v7.0.1\n        with: { persist-credentials: false }\n      # No checkout: nothing`,
    "T1: the job report may write and checks out code",
  ],
  ...(
    [
      [
        '&&\n      contains(fromJSON(\'["OWNER", "MEMBER", "COLLABORATOR"]\'), github.event.comment.author_association)',
        "",
      ],
      ["'/loadtest accept ') &&", "'/loadtest accept ') ||"],
      ["    steps:\n", `    steps:\n      - uses: actions/checkout@${"a".repeat(40)} # v7.0.1\n`],
      ["    steps:\n", "    steps:\n      - run: gh pr checkout 7\n"],
      ["      pull-requests: read", "      pull-requests: write"],
    ] as const
  ).map(
    ([from, to]) =>
      [
        "examples/accept.yml",
        from,
        to,
        "T1: the job again is started by issue_comment, and does more",
      ] as const,
  ),
  [
    ".github/workflows/ci.yml",
    "pull_request:",
    "issue_comment:",
    "is started by issue_comment, and does more than run jobs again for a member",
  ],
  [".github/workflows/loadtest.yml", "permissions: {}\n", "permissions: write-all\n", "T11: "],
  [".github/workflows/loadtest.yml", "permissions: {}\n", "", "T11: the workflow grants something"],
  [
    ".github/workflows/loadtest.yml",
    "    permissions:\n      contents: read\n    strategy:",
    "    strategy:",
    "T11: the job measure does not name its permissions",
  ],
  [
    ".github/workflows/loadtest.yml",
    "    permissions:\n      contents: read\n    strategy:",
    "    permissions:\n      contents: write\n    strategy:",
    "T11: the job measure may write contents",
  ],
  [
    ".github/workflows/selftest.yml",
    "uses: $/.github/workflows/loadtest.yml",
    "secrets: inherit\n    uses: $/.github/workflows/loadtest.yml",
    "T11: it passes on all secrets",
  ],
  [
    "action.yml",
    `INPUT_APP: \${{ inputs.app }}`,
    `GITHUB_TOKEN: \${{ inputs.github-token }}`,
    "T11: the step that measures",
  ],
  [
    "action.yml",
    'exec "$NODE" "$GITHUB_ACTION_PATH/dist/cli.js" "$COMMAND"',
    `exec node dist/cli.js \${{ inputs.command }}`,
    "T13: ",
  ],
  ["README.md", "persist-credentials: false", "persist-credentials: true", "T12: "],
  ["README.md", "          persist-credentials: false\n", "", "T12: "],
  [
    "README.md",
    /actions\/checkout@[0-9a-f]{40} # v[\d.]+/,
    "actions/checkout@v7",
    "T23: actions/checkout@v7",
  ],
  [".github/workflows/ci.yml", / # v7\.0\.1/, "", "T23: "],
  ["action.yml", /actions\/cache\/save@[0-9a-f]{40}/, "actions/cache/save@main", "T23: "],
  [
    ".github/workflows/ci.yml",
    `ci-\${{ github.event.pull_request.number || github.sha }}`,
    `ci-\${{ github.head_ref }}`,
    "T28: ",
  ],
  [".github/workflows/ci.yml", "    timeout-minutes: 15\n", "", "F17: the job lint has no time-out"],
  [
    ".github/workflows/loadtest.yml",
    "    strategy:\n      fail-fast",
    `    env:\n      GH_TOKEN: \${{ github.token }}\n    strategy:\n      fail-fast`,
    "T11: a variable of the job measure, which measures, holds a token",
  ],
  [
    ".github/workflows/loadtest.yml",
    "permissions: {}\n",
    `permissions: {}\nenv:\n  WHATEVER: \${{ secrets.GITHUB_TOKEN }}\n`,
    "T11: a variable of the job measure, which measures, holds a token",
  ],
  [
    ".github/workflows/loadtest.yml",
    "          command: measure\n",
    `          command: measure\n          github-token: \${{ github.token }}\n`,
    "T11: the job measure hands what measures a token",
  ],
  [
    "README.md",
    `      - uses: ${ourRepository}@v1\n`,
    `      - uses: ${ourRepository}@v1\n        env:\n          GITHUB_TOKEN: \${{ secrets.BOT }}\n`,
    "T11: a variable of the job loadtest, which measures, holds a token",
  ],
  ...[
    "gh pr checkout 7",
    "git fetch origin refs/pull/7/head",
    "git -C . fetch \\\n          origin pull/7/merge",
  ].map(
    (script) =>
      [
        ".github/workflows/loadtest.yml",
        "      # No checkout: nothing",
        `      - run: |\n          ${script}\n      # No checkout: nothing`,
        "T1: the job report may write and checks out code",
      ] as const,
  ),
  [
    ".github/workflows/ci.yml",
    "      - run: npm run lint\n",
    `      - uses: actions/github-script@${"a".repeat(40)} # v8.0.0\n        with:\n          script: console.log("\${{ github.head_ref }}")\n`,
    "T13: an expression is pasted into a script",
  ],
  [
    ".github/workflows/selftest-post.yml",
    "uses: $/.github/workflows/post-report.yml",
    "uses: $/.github/workflows/loadtest.yml",
    "T1: a privileged workflow does more than post: $/.github/workflows/loadtest.yml",
  ],
  [
    "examples/forks-post.yml",
    "/.github/workflows/post-report.yml@v1",
    "/.github/workflows/loadtest.yml@v1",
    "T1: a privileged workflow does more than post: ",
  ],
  [
    ".github/workflows/post-report.yml",
    "command: post",
    "command: run",
    "T1: a privileged workflow does more than post: ",
  ],
  [
    ".github/workflows/ci.yml",
    "npm run lint",
    'echo "A=b" >> $GITHUB_ENV',
    "T10: a script writes GITHUB_ENV",
  ],
  [
    ".github/workflows/ci.yml",
    "npm run lint",
    'echo bin | tee -a "$GITHUB_PATH"',
    "T10: a script writes GITHUB_PATH",
  ],
  [
    ".github/workflows/selftest-post.yml",
    / it checks out nothing, and reads .*$/m,
    "",
    "zizmor: an exception without a reason",
  ],
  [".github/workflows/selftest-post.yml", /ignore\[dangerous-triggers\]/, "ignore", "zizmor: an exception"],
];

describe("a change for the worse is told", () => {
  test.for(mutants)("%s: %s becomes %s", ([place, from, to, problem]) => {
    const before = textOf(place);
    const after = before.replace(from, () => to);
    expect(after).not.toBe(before);
    const texts = place.endsWith(".md")
      ? yamlBlocks(after).map((text) => ({ place, text }))
      : [{ place, text: after }];
    expect(texts.flatMap(trustProblems)).toContainEqual(expect.stringContaining(problem));
  });
});

test("F37: no address of GitHub's API is written down but its default", () => {
  const places = [
    "action.yml",
    ...workflowPaths,
    ...filesIn("src", /\.ts$/),
    ...filesIn("scripts", /\.\w+$/),
  ];
  const lines = places.flatMap((place) =>
    textOf(place)
      .split("\n")
      .filter((line) => line.includes("api.github.com") && !/^\s*(?:\/\/|\/?\*|#)/.test(line))
      .map((line) => `${place}: ${line.trim()}`),
  );
  expect(lines).toEqual([
    'src/forge/github/github.ts: GITHUB_API_URL: addressSchema.default("https://api.github.com"),',
  ]);
});

test("T10: no script of the action writes what later steps run with", () => {
  const scripts = filesIn("scripts", /\.sh$/);
  expect(scripts).toContain("scripts/preflight.sh");
  expect(scripts.filter((place) => /GITHUB_(?:ENV|PATH)\b/.test(textOf(place)))).toEqual([]);
});
