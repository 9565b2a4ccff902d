import { expect, test } from "vitest";

import { credentialsIn, includedBy, places } from "../../src/forge/credentials.ts";

const github = { GITHUB_ACTIONS: "true" };
const header = '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n';
const samples: Readonly<Record<string, string>> = {
  ".git-credentials": "https://me:word@github.com",
  ".config/git/credentials": "https://token@github.com",
  ".netrc": "machine github.com login me password word",
  ".config/gh/hosts.yml": "github.com:\n  oauth_token: gho_1",
  ".docker/config.json": '{"auths": {"ghcr.io": {"auth": "eDp5"}}}',
  ".npmrc": "//registry.npmjs.org/:_authToken=npm_1",
  ".pypirc": "[pypi]\npassword = pypi-1",
  ".aws/credentials": "aws_secret_access_key = 1",
  ".kube/config": "users:\n- user:\n    token: 1",
  ".config/gcloud/application_default_credentials.json": '{"refresh_token": "1"}',
  ".ssh/id_rsa": "-----BEGIN RSA PRIVATE KEY-----",
  ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----",
};

test("every place that is looked at is refused or reported, and only if it holds something", () => {
  expect(places.map(({ path }) => path)).toEqual(Object.keys(samples));
  for (const { path, isRefused } of places) {
    const of = (text: string) =>
      credentialsIn(github, { ofRepository: [], ofHome: [{ name: `~/${path}`, text }] });
    expect(of("# nothing")).toEqual({ refused: [], reported: [] });
    const { refused, reported } = of(samples[path] ?? "");
    expect([refused.length, reported.length]).toEqual(isRefused ? [1, 0] : [0, 1]);
    expect([...refused, ...reported][0]).toContain(`~/${path} `);
    expect([...refused, ...reported].join()).not.toContain("word@");
  }
});

test.for<readonly [what: string, text: string, isFound: boolean]>([
  ["checkout's header", header, true],
  ["a header in other letters", "ExtraHeader = Authorization: bearer x", true],
  ["an address with a password", "url = https://x-access-token:abc@github.com/o/a", true],
  ["an address whose user is a token", "url = https://ghp_0123456789abcdef@github.com/o/a", true],
  ["another address for each", '[url "https://ghs_0123456789abcdef@github.com/"]', true],
  ["a header in the line of its section", `[http "https://a/"] extraheader = Authorization: x`, true],
  ["a header of GitLab's", "extraheader = PRIVATE-TOKEN: abc", true],
  ["a helper that prints a token", 'helper = "!echo password=github_pat_11ABC"', true],
  ["a plain address", "url = https://github.com/o/a\n[user]\n email = me@example.com", false],
  ["another header", "extraheader = X-Trace: 1", false],
])("T12: git's configuration with %s", ([, text, isFound]) => {
  const { refused } = credentialsIn(github, { ofRepository: [{ name: ".git/config", text }], ofHome: [] });
  expect(refused).toEqual(
    isFound
      ? [
          "checkout: .git/config contains a credential, which the code under test can read; set `persist-credentials: false` on actions/checkout",
        ]
      : [],
  );
});

test("GitLab's runner leaves the job's token itself, and at home all is the user's own", () => {
  const found = { ofRepository: [{ name: ".git/config", text: header }], ofHome: [] };
  expect(credentialsIn({ GITLAB_CI: "true" }, found)).toEqual({
    refused: [],
    reported: [".git/config holds or leads to a credential, which the code under test can read"],
  });
  expect(credentialsIn({}, found)).toEqual({ refused: [], reported: [] });
});

test("variables that lead to credentials are reported", () => {
  const { reported } = credentialsIn(
    { ...github, GOOGLE_APPLICATION_CREDENTIALS: "/x.json", AWS_WEB_IDENTITY_TOKEN_FILE: "" },
    { ofRepository: [], ofHome: [] },
  );
  expect(reported).toEqual([expect.stringMatching(/^GOOGLE_APPLICATION_CREDENTIALS /)]);
});

test("what a configuration includes, under any condition", () => {
  const text =
    '[include]\n\tpath = a.config\n[includeIf "gitdir:/x/.git"]\n path = "/tmp/b.config"\n[core]\n';
  expect(includedBy(text)).toEqual(["a.config", "/tmp/b.config"]);
});
