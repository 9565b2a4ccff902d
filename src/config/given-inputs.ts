import type { ConfigurationFile } from "./file/configuration-file.ts";
import { inputs } from "./inputs.ts";
import type { Files, RawInputs } from "./raw-inputs.ts";

/** What is known of every input before any value is read: from the caller, else a layer below, else its default. */
export interface GivenInputs {
  readonly texts: RawInputs;
  /** As the caller or a layer said, without defaults. */
  readonly isSaid: (name: string) => boolean;
  /** The layer that an input is from; `undefined`: its caller's own, or its default. */
  readonly layerOf: (name: string) => ConfigurationFile | undefined;
  /** Makes a path absolute, taken from where the input that names it stands. */
  readonly resolve: (name: string, path: string) => string;
  /** A problem of an input with its place, where the value is a layer's. */
  readonly placed: (problem: string) => string;
}

/**
 * Puts the caller's inputs over `settings`, and those over the file. Variables of the app are put together, the caller's
 * last.
 *
 * @param layers the higher one first
 */
export function giveInputs(raw: RawInputs, layers: readonly ConfigurationFile[], files: Files): GivenInputs {
  const layerOf = (name: string) => (raw[name] ? undefined : layers.find(({ texts }) => texts[name]));
  const texts = Object.fromEntries(
    inputs.map(({ name, fallback }) => [name, said(name, raw, layers) || fallback || undefined] as const),
  );
  return {
    texts,
    isSaid: (name) => Boolean(raw[name] || layerOf(name)),
    layerOf,
    // A default belongs to the file where there is one: with `--config elsewhere/...` the app is there, too.
    resolve: (name, path) =>
      files.resolve(path, raw[name] ? undefined : (layerOf(name) ?? layers.at(-1))?.folder),
    placed: (problem) => {
      const name = problem.slice(0, Math.max(0, problem.indexOf(":")));
      const place = layerOf(name)?.places[name];
      return place === undefined ? problem : `${place}: ${problem}`;
    },
  };
}

function said(name: string, raw: RawInputs, layers: readonly ConfigurationFile[]): string {
  const all = [raw, ...layers.map(({ texts }) => texts)].map((texts) => texts[name] ?? "");
  const given = all.filter((text) => text !== "");
  return name === "app-env" ? given.toReversed().join("\n") : (given[0] ?? "");
}
