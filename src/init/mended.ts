import type { Project } from "./project.ts";

/** A project with one thing changed, so that its app may start. */
export interface Mended {
  readonly project: Project;
  /** The change, as a sentence. */
  readonly told: string;
  /** True when the failure does not name the change: it is taken back if the next failure is the same. */
  readonly isGuess?: true;
}
