import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { firstLine, runQuietly } from "../lib/run.mjs";

export const hasDebianTools = () =>
  firstLine(["apt-get", "--version"]) !== undefined && firstLine(["dpkg-deb", "--version"]) !== undefined;

/**
 * Unpacks Debian's packages, and those that they need, into a folder: that takes no root rights and changes nothing of
 * the system. apt checks their signatures with the keys that the machine trusts already. `suite`: the machine's own
 * release if left out; another one comes whole, with its own C library.
 */
export async function unpackDebian(names, folder, suite) {
  const work = join(dirname(folder), "work");
  rmSync(work, { recursive: true, force: true });
  for (const each of ["lists/partial", "cache/archives/partial", "root"])
    mkdirSync(join(work, each), { recursive: true });
  try {
    const apt = [
      ...["apt-get", "-qq", "-o", `Dir::State::lists=${join(work, "lists")}`],
      ...[
        "-o",
        `Dir::Cache=${join(work, "cache")}`,
        "-o",
        "Debug::NoLocking=true",
        "-o",
        "APT::Sandbox::User=",
      ],
      ...(suite === undefined ? [] : ofSuite(suite, work)),
    ];
    await runQuietly([...apt, "update"]);
    await runQuietly([...apt, "install", "--yes", "--download-only", "--no-install-recommends", ...names]);
    const archives = join(work, "cache", "archives");
    for (const name of readdirSync(archives).filter((each) => each.endsWith(".deb")))
      await runQuietly(["dpkg-deb", "--extract", join(archives, name), join(work, "root")]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(work, "root"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** As if nothing were installed, so that the packages bring all that they need. */
function ofSuite(suite, work) {
  const sources = join(work, "suite.list");
  const status = join(work, "status");
  writeFileSync(sources, `deb [signed-by=${keys}] http://deb.debian.org/debian ${suite} main\n`);
  writeFileSync(status, "");
  const set = { "Dir::Etc::sourcelist": sources, "Dir::Etc::sourceparts": "-", "Dir::State::status": status };
  return Object.entries(set).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
}
