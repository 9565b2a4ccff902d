import type { ConfigurationFile } from "./file/configuration-file.ts";
import { type Files, inputs, type RawInputs } from "./inputs.ts";

/** Raw value of every input: from the caller, otherwise from a layer below, otherwise its default. */
export interface GivenInputs {
  readonly texts: RawInputs;
  /** True when the caller or a layer gave the input; defaults do not count. */
  readonly isGiven: (name: string) => boolean;
  /** The layer of an input; `undefined`: it comes from the caller, or is its default. */
  readonly layerOf: (name: string) => ConfigurationFile | undefined;
  /** Makes a path absolute, relative to the place of the input that names it. */
  readonly resolve: (name: string, path: string) => string;
  /** Adds its place to a problem of an input when its value comes from a layer. */
  readonly placed: (problem: string) => string;
}

/** Puts inputs over `settings`, and those over the file; `layers`: the higher first. Variables are merged. */
export function giveInputs(raw: RawInputs, layers: readonly ConfigurationFile[], files: Files): GivenInputs {
  const layerOf = (name: string) => (raw[name] ? undefined : layers.find(({ texts }) => texts[name]));
  const texts = Object.fromEntries(
    inputs.map(({ name, fallback }) => [name, textOf(name, raw, layers) || fallback || undefined] as const),
  );
  return {
    texts,
    isGiven: (name) => Boolean(raw[name] || layerOf(name)),
    layerOf,
    // A default belongs to the file, if there is one: with `--config elsewhere/...` the app is there, too.
    resolve: (name, path) =>
      files.resolve(path, raw[name] ? undefined : (layerOf(name) ?? layers.at(-1))?.folder),
    placed: (problem) => {
      const name = problem.slice(0, Math.max(0, problem.indexOf(":")));
      const place = layerOf(name)?.places[name];
      return place === undefined ? problem : `${place}: ${problem}`;
    },
  };
}

function textOf(name: string, raw: RawInputs, layers: readonly ConfigurationFile[]): string {
  const all = [raw, ...layers.map(({ texts }) => texts)].map((texts) => texts[name] ?? "");
  const given = all.filter((text) => text !== "");
  return name === "app-env" ? given.toReversed().join("\n") : (given[0] ?? "");
}
