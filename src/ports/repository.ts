import type { RepositoryFile } from "../diagnosis/added-findings.ts";
import type { RepositoryChanges } from "../diagnosis/reach/changed-files.ts";
import type { App, Seed, Workload } from "../model/workload/workload.ts";

/** The base: its code, its data, and its worktree, which exists until disposal. */
export interface BaseSource extends AsyncDisposable {
  readonly app: App;
  /** Seed files of the base, or the head's own where they are the same or lie outside of the repository. */
  readonly seed: Seed | undefined;
  readonly commit: string | undefined;
}

export type BaseOutcome =
  | { readonly kind: "found"; readonly source: BaseSource }
  | { readonly kind: "none"; readonly reason: string; readonly logTail: string };

export interface RepositoryPorts {
  /** Finds or checks out the base; nothing of it is installed or started. */
  openBase(workload: Workload): Promise<BaseOutcome>;
  /** The app in a copy of its repository, gone with the run. `shared`: without what git ignores. */
  copyApp(app: App, files?: "all" | "shared"): Promise<App>;
  /** True when a path, from their folders, leads to something in one version and to nothing in another. */
  isLacking(path: string, own: string, other: string): Promise<boolean>;
  commitOf(folder: string): Promise<string | undefined>;
  changesSince(folder: string, base: string): Promise<RepositoryChanges | undefined>;
  /** A file of the app's folder, as its repository knows it, with its diff from `base`; `undefined` when it does not. */
  findFile(appFolder: string, file: string, base: string | undefined): Promise<RepositoryFile | undefined>;
}
