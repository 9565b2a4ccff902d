// The action's step that gets k6 for a runner without one: its official release, taken only when its SHA-256 is the
// one in `setup/programs.mjs`. `grafana/setup-k6-action` has downloaded it in the step before, if it could
// (`SETUP_K6`); else we do. `LOADTEST_K6_RELEASES` may name a mirror of GitHub's release folder; the hash stays.
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { installFromArchive, installFromBytes, leftArchive, Unreachable } from "./setup/archive.mjs";
import { k6 } from "./setup/programs.mjs";

/** Waits between tries, when there was no answer. A wrong answer is not asked for again. */
const triesAfterMs = process.env["LOADTEST_K6_RELEASES"] === undefined ? [2_000, 5_000] : [100];

const platform = `${process.platform}-${process.arch}`;
const archive = k6.archives[platform];
try {
  if (archive === undefined)
    throw new Error(`there is no release for ${platform}; put k6 1.0 to 2.x on PATH before this step`);
  const temporary = process.env["RUNNER_TEMP"] ?? tmpdir();
  const folder = mkdtempSync(join(temporary, "loadtest-k6-"));
  const target = join(folder, "k6");
  const url = (process.env["LOADTEST_K6_RELEASES"] ?? k6.releases) + archive.file;
  const left = process.env["SETUP_K6"] === "success" ? leftArchive(temporary, archive.sha256) : undefined;
  const wanted = { sha256: archive.sha256, member: archive.member, target };
  if (left === undefined) {
    if (process.env["SETUP_K6"] === "success")
      console.log(
        `::notice::grafana/setup-k6-action left no k6 ${k6.version} with our SHA-256; it is downloaded again`,
      );
    await installPatiently({ url, ...wanted });
  } else {
    await installFromBytes({ bytes: left, place: "the archive of grafana/setup-k6-action", ...wanted });
    console.log(`k6 ${k6.version} of grafana/setup-k6-action has the SHA-256 that it must have`);
  }
  appendFileSync(process.env["GITHUB_OUTPUT"] ?? "/dev/stdout", `path=${target}\n`);
} catch (error) {
  const reason = String(error.message).replaceAll(/[\r\n%]/g, " ");
  console.log(`::error title=k6 cannot be installed::${reason}`);
  process.exitCode = 3;
}

async function installPatiently(wanted) {
  for (const waitMs of triesAfterMs) {
    try {
      return await installFromArchive(wanted);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await sleep(waitMs);
    }
  }
  return await installFromArchive(wanted);
}
