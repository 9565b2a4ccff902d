import { isLocustFile } from "../../model/endpoint/endpoint.ts";
import type { FoundSetting, ProjectFile, Proposal } from "../project.ts";
import { isWithin } from "./apps.ts";

/** Files with paths below the repository, that may be load tests of its own. */
export interface OwnScripts {
  readonly files: readonly ProjectFile[];
  /** The path of the one that is to run. */
  readonly chosen?: string;
}

const mostShown = 5;

const isPlain = /^[\w./@+-]{1,300}$/;

/**
 * Load tests that the repository has already, for k6 or Locust: each may take the place of `endpoints`.
 *
 * @param from folder of the paths in the configuration file, below the repository
 * @param files of the whole repository
 */
export function proposeScripts(
  scripts: OwnScripts,
  from: string,
  files: readonly ProjectFile[],
): readonly Proposal[] {
  const lines = scripts.files
    .filter(({ path }) => isPlain.test(path) && isWithin(path, from) && path !== scripts.chosen)
    .flatMap(({ path, text }) => {
      const about = isLocustFile(path) ? locustWords(text, files) : k6Words(text);
      return about === undefined ? [] : [`script: ${pathFrom(from, path)} # ${about}`];
    });
  if (lines.length === 0) return [];
  return [
    {
      reason:
        "The repository has its own load test. It can replace `endpoints` and then runs against both versions in turn (docs/scripts.md): `init --script FILE --overwrite`.",
      lines: lines.slice(0, mostShown),
    },
  ];
}

/** The keys of the load test that is to run; none where it lies elsewhere. The environment must have its Locust. */
export function scriptSettings(
  { chosen }: OwnScripts,
  from: string,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  if (chosen === undefined || !isWithin(chosen, from)) return [];
  const source = isLocustFile(chosen) ? requirementsOfLocust(files) : undefined;
  const install =
    source === undefined || !isWithin(source.path, from)
      ? []
      : [
          {
            key: "install",
            value: pathFrom(from, source.path),
            reason: "it has the app's requirements and Locust",
          },
        ];
  const reason = "set by `--script`; it replaces `endpoints` and runs against both versions in turn";
  return [...install, { key: "script", value: pathFrom(from, chosen), reason }];
}

function pathFrom(from: string, path: string): string {
  return from === "." ? path : path.slice(from.length + 1);
}

function requirementsOfLocust(files: readonly ProjectFile[]): ProjectFile | undefined {
  return files.find(({ path, text }) => /^requirements[\w./-]*\.txt$/.test(path) && /^locust\b/im.test(text));
}

function locustWords(text: string, files: readonly ProjectFile[]): string | undefined {
  if (!/^[ \t]{0,8}(?:from|import) locust\b/m.test(text)) return undefined;
  const source = requirementsOfLocust(files);
  const where = source === undefined ? "" : `, e.g. with install: ${source.path}`;
  return `for Locust, which must be installed in the app's environment${where}`;
}

function k6Words(text: string): string | undefined {
  if (!/\bfrom\s{0,9}["']k6(?:\/[\w-]{1,40})*["']/.test(text)) return undefined;
  if (!/^export (?:default\b|const options\b|let options\b)/m.test(text)) return undefined;
  return text.includes("BASE_URL") ? "for k6" : "for k6; it must read the app's address from __ENV.BASE_URL";
}
