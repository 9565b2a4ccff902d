import type { App, Seed } from "../model/workload/workload.ts";
/** What the head is compared with: its code, its data, and where its worktree is until disposal. */
export interface BaseSource extends AsyncDisposable {
  readonly app: App;
  /** Seed files of the base, or the head's own where they are the same or lie outside of the repository. */
  readonly seed: Seed | undefined;
  readonly commit: string | undefined;
}

/** Refusals are expected outcomes, so they are values. */
export type BaseOutcome =
  | { readonly kind: "found"; readonly source: BaseSource }
  | { readonly kind: "none"; readonly reason: string; readonly logTail: string };
