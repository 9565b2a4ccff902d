import type { FailureDetail, FailurePhase } from "../errors/errors.ts";

/** One key of the configuration file, with its value from the repository. */
export interface FoundSetting {
  readonly key: string;
  readonly value: WrittenValue;
  /** Its source, in a few words: `alembic.ini is there`. */
  readonly reason: string;
}

/** A value as YAML has it. */
type WrittenValue = string | number | readonly WrittenValue[] | { readonly [name: string]: WrittenValue };

/** A file of the repository, with the path below the app's folder, or below the repository when it lies elsewhere. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** Last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

/** Path of a module without its ending; `src/` belongs to it only when the app is named from there, too. */
export function moduleOf(path: string, app: string): string {
  const inside = path.replace(/\.py$/, "");
  return app.startsWith("src.") ? inside : inside.replace(/^src\//, "");
}

/** Variables by which the app finds what a setting of `services` or `stubs` starts. */
export function appVariablesIn({ value }: Pick<FoundSetting, "value">): readonly string[] {
  return Object.values(Object(value)).flatMap((each) => Object.keys(Object(Object(each)["app-env"])));
}
/** A variable of the environment that the app's code reads. */
export interface ReadVariable {
  readonly name: string;
  /** File that reads it. */
  readonly path: string;
  /** True when the app cannot start without it. */
  readonly isNeeded: boolean;
  /** The type as written, when it is a field of settings, or is cast: `PostgresDsn`. */
  readonly type: string | undefined;
  /** Its default, when that is written out. */
  readonly value: string | undefined;
  /** True for a field of settings: its name may be written in any case. */
  readonly isField: boolean;
}

/** The facts that a repository shows about one of its apps. */
export interface Project {
  /** Its own files, with paths below its folder. */
  readonly files: readonly ProjectFile[];
  /** The way to make its environment, for people; `undefined` when there is nothing to install from. */
  readonly installer: string | undefined;
  /** Its files that leave versions of packages open, with paths below its folder. */
  readonly openRequirements: readonly string[];
  /** The day on which those were last changed, e.g. `2024-01-26`; absent: unknown, or of no use any more. */
  readonly requiredOn?: string;
  /** Keys of the configuration file, in the order of writing. */
  readonly findings: readonly FoundSetting[];
  /** Variables that its own files read. */
  readonly variables: readonly ReadVariable[];
  readonly examples: ExampleValues;
  /** Variables whose invented value was changed to one that the app accepts; absent: none. */
  readonly fitted?: ReadonlySet<string>;
  /** Sentences about needs that the load test does not meet. */
  readonly lacks: readonly string[];
  readonly proposals: readonly Proposal[];
}

/** What an app failed with, where it was started as `run` would. */
export interface AppFailure {
  readonly phase: FailurePhase | "import";
  readonly detail?: FailureDetail;
  /** All that the app and its tools wrote about it: foreign text. */
  readonly log: string;
  /** Its OpenAPI document, if that could be read. */
  readonly document?: unknown;
}

/** Keys that people have to decide about: they are shown without effect. */
export interface Proposal {
  /** Sentences. */
  readonly reason: string;
  /** Lines of the configuration file. */
  readonly lines: readonly string[];
}

/** Variables with their written-down values, and the file of each. */
export type ExampleValues = ReadonlyMap<string, { readonly value: string; readonly path: string }>;
