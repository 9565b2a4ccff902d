import type { FoundApp } from "../model/workload/found-app.ts";
/** Raw inputs by their public names, from the action or the command line. Empty text means not given. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** Questions about the file system that parsing must ask. */
export interface Files {
  /** Makes a path absolute. `folder`: its absolute base; absent: the working folder. */
  resolve(path: string, folder?: string): string;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  /** Apps in the Python files below a folder. */
  findApps(folder: string): readonly FoundApp[];
}
