import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { action, root, textOf } from "./files.ts";

const { k6 } = await import(`${root}/scripts/setup/programs.mjs`);

// SECURITY.md lists the hosts that a run reaches, for allow-lists. Hosts in our code must be in it, and no others.

/** Addresses that are shown, written into a file or compared with, and never requested. */
const shown = ["git-lfs.github.com", "grafana.com", "raw.githubusercontent.com"];
/** Hosts to which the named ones lead, or that belong to a program or service which the code names without an address. */
const followed: Readonly<Record<string, readonly string[]>> = {
  "actions/cache/restore": ["*.actions.githubusercontent.com", "*.blob.core.windows.net"],
  "actions/upload-artifact": ["codeload.github.com"],
  "github.com": ["release-assets.githubusercontent.com"],
  "pypi.org": ["files.pythonhosted.org"],
  "registry-1.docker.io": ["auth.docker.io", "production.cloudflare.docker.com"],
  "get=(apt-get": ["azure.archive.ubuntu.com", "ports.ubuntu.com"],
  "uv==": ["releases.astral.sh"],
  '"npm", "ci"': ["registry.npmjs.org"],
  "redis:7": ["registry-1.docker.io"],
};

const section = /## Hosts that it reaches\n([\s\S]*?)\n## /.exec(textOf("SECURITY.md"))?.[1] ?? "";
const listed = section
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .flatMap((line) => [...(line.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, host = ""]) => host));

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|py)$/.test(name))
    .map((name) => textOf(`${folder}/${name}`));
}

test("SECURITY.md lists exactly the hosts that the code reaches", () => {
  const texts = [
    ...sources("src"),
    ...sources("probe/loadtest_probe"),
    ...sources("probe/tools"),
    k6.releases,
    textOf("scripts/install-valgrind.sh"),
  ];
  const code = texts.map((text) => text.replaceAll(/(?:\/\/ |\/\*\*| \* ).*/g, "")).join("\n");
  const named = [...code.matchAll(/https?:\/\/((?:[a-z0-9-]+\.)+[a-z]+)/g)].map(([, host = ""]) => host);
  const hosts = named.filter((host) => !/(?:^|\.)example(?:\.com)?$/.test(host) && !shown.includes(host));
  const reached = new Set([...hosts, ...action.runs.steps.flatMap(({ uses }) => uses?.split("@")[0] ?? [])]);
  // Twice, because one may lead to another.
  for (const _ of [1, 2])
    for (const [from, to] of Object.entries(followed)) {
      if (reached.has(from) || code.includes(from)) for (const host of to) reached.add(host);
    }
  const wanted = [...reached].filter((host) => !host.includes("/"));
  expect([...new Set(listed)].toSorted()).toEqual(wanted.toSorted());
  expect(shown.filter((host) => !named.includes(host))).toEqual([]);
});
