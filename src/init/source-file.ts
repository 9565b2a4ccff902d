/** One key of the configuration file, with its value from the repository. */
export interface FoundSetting {
  readonly key: string;
  readonly value: WrittenValue;
  /** Its source, in a few words: `alembic.ini is there`. */
  readonly reason: string;
}

/** A value as YAML has it. */
export type WrittenValue =
  | string
  | number
  | readonly WrittenValue[]
  | { readonly [name: string]: WrittenValue };

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
