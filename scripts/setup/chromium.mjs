import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { chromiumWanted, findChromium, unpackedFolder } from "../lib/chromium.mjs";
import { capture, firstLine } from "../lib/run.mjs";

/**
 * The step that gets a browser for the tests of the page. Without one on the machine, it unpacks Debian's packages
 * below `.tools`: that takes no root rights and changes nothing of the system. apt checks their signatures with the
 * keys that the machine trusts already.
 */
export const chromiumStep = {
  name: "Chromium",
  isDone: () => findChromium() !== undefined,
  missing: async () =>
    firstLine(["apt-get", "--version"]) === undefined || firstLine(["dpkg-deb", "--version"]) === undefined
      ? [`${chromiumWanted} (this machine has no apt-get to get it with)`]
      : [],
  install: async () => {
    const work = join(dirname(unpackedFolder), "work");
    for (const folder of ["lists/partial", "cache/archives/partial", "root"])
      mkdirSync(join(work, folder), { recursive: true });
    try {
      await fetchPackages(work);
      await unpack(work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    if (findChromium() === undefined) throw new Error(`${chromiumWanted}: Debian's packages hold none`);
  },
};

async function fetchPackages(work) {
  const apt = [
    "apt-get",
    "-qq",
    ...["-o", `Dir::State::lists=${join(work, "lists")}`, "-o", `Dir::Cache=${join(work, "cache")}`],
    ...["-o", "Debug::NoLocking=true", "-o", "APT::Sandbox::User="],
  ];
  await succeed([...apt, "update"]);
  // There are no fonts without the recommended packages.
  await succeed([
    ...apt,
    "install",
    "--yes",
    "--download-only",
    "--no-install-recommends",
    "chromium",
    "fonts-dejavu-core",
  ]);
}

async function unpack(work) {
  const archives = join(work, "cache", "archives");
  for (const name of readdirSync(archives).filter((each) => each.endsWith(".deb")))
    await succeed(["dpkg-deb", "--extract", join(archives, name), join(work, "root")]);
  rmSync(unpackedFolder, { recursive: true, force: true });
  renameSync(join(work, "root"), unpackedFolder);
}

async function succeed(argv) {
  const { code, text } = await capture(argv);
  if (code !== 0) throw new Error(`${chromiumWanted}: \`${argv[0]}\` failed: ${text.trim().slice(-500)}`);
}
