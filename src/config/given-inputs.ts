import type { ConfigurationFile } from "./file/configuration-file.ts";
import { inputs } from "./inputs.ts";
import type { Files, RawInputs } from "./raw-inputs.ts";

/** What is known of every input before any value is read: from the caller, else the file, else its default. */
export interface GivenInputs {
  readonly texts: RawInputs;
  /** As the caller or the file said, without defaults. */
  readonly isSaid: (name: string) => boolean;
  /** Makes a path absolute, taken from where the input that names it stands. */
  readonly resolve: (name: string, path: string) => string;
  /** Makes a path of the configuration file absolute. */
  readonly resolveInFile: (path: string) => string;
  /** A problem of an input with its place, where the value is the file's. */
  readonly placed: (problem: string) => string;
}

/** Puts the caller's inputs over the file's. Variables of the app are put together, the caller's last. */
export function giveInputs(raw: RawInputs, file: ConfigurationFile | undefined, files: Files): GivenInputs {
  const ofFile = file?.texts ?? {};
  const isOfFile = (name: string) => !raw[name] && Boolean(ofFile[name]);
  const texts = Object.fromEntries(
    inputs.map(({ name, fallback }) => [name, said(name, raw, ofFile) || fallback || undefined] as const),
  );
  return {
    texts,
    isSaid: (name) => Boolean(raw[name] || ofFile[name]),
    // A default belongs to the file where there is one: with `--config elsewhere/...` the app is there, too.
    resolve: (name, path) => files.resolve(path, raw[name] ? undefined : file?.folder),
    resolveInFile: (path) => files.resolve(path, file?.folder),
    placed: (problem) => {
      const name = problem.slice(0, Math.max(0, problem.indexOf(":")));
      return isOfFile(name) ? `${file?.places[name]}: ${problem}` : problem;
    },
  };
}

function said(name: string, raw: RawInputs, ofFile: RawInputs): string {
  const own = raw[name] ?? "";
  const other = ofFile[name] ?? "";
  return name === "app-env" && own !== "" && other !== "" ? `${other}\n${own}` : own || other;
}
