import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { root, toolsFolder } from "../lib/places.mjs";
import { firstLine, runQuietly } from "../lib/run.mjs";
import { installFromArchive, isReachable, Unreachable } from "./archive.mjs";
import { hasStamp, writeStamp } from "./stamp.mjs";

/**
 * The step that gets one program of `programs.mjs` into `.tools/bin`. `isFit` is true when one on the machine will do.
 */
export function programStep(program, isFit = () => false) {
  const target = join(toolsFolder, "bin", program.name);
  const archive = program.archives[`${process.platform}-${process.arch}`];
  const url = archive && program.releases + archive.file;
  const stamp = { path: `${target}.stamp`, content: keyOf(program) };
  return {
    name: `${program.name} ${program.version}`,
    isDone: () => (existsSync(target) && hasStamp(stamp)) || isFit(),
    missing: async () => {
      if (hasGo() || (url !== undefined && (await isReachable(url)))) return [];
      const why =
        url === undefined
          ? `there is no release for ${process.platform}-${process.arch}`
          : `${url} does not answer`;
      return [`${program.name}: put it on PATH, or Go 1.25 or newer to build it with (${why})`];
    },
    install: async () => {
      rmSync(stamp.path, { force: true });
      await installFromRelease({ archive, url, target }).catch(async (error) => {
        if (!(error instanceof Unreachable)) throw error;
        console.log(`  ${error.message}; building it with Go instead, about ${program.goMinutes} min`);
        await build(program, target);
      });
      writeStamp(stamp);
    },
  };
}

async function installFromRelease({ archive, url, target }) {
  if (url === undefined) throw new Unreachable(`no release for ${process.platform}-${process.arch}`);
  await installFromArchive({ url, sha256: archive.sha256, member: archive.member, target });
}

async function build({ name, goPackage, goModule }, target) {
  if (!hasGo()) throw new Error(`${name} cannot be built: there is no Go`);
  mkdirSync(join(toolsFolder, "bin"), { recursive: true });
  const temporary = `${target}.${process.pid}.tmp`;
  // readonly: go.sum decides what is built, and is never written.
  const argv = ["go", "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", temporary, goPackage];
  await runQuietly(argv, { folder: join(root, goModule) }); // `go: downloading` for each of its modules
  renameSync(temporary, target);
}

function hasGo() {
  return firstLine(["go", "version"]) !== undefined;
}

/** Changes with the version and with every hash, so that a new pin is a new installation. */
function keyOf({ name, version, archives }) {
  return createHash("sha256")
    .update(JSON.stringify([name, version, archives]))
    .digest("hex");
}
