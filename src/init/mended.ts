import type { Project } from "./project.ts";

/** A project with one thing changed, so that its app may start. */
export interface Mended {
  readonly project: Project;
  /** The change, as a sentence. */
  readonly told: string;
  /** Where the failure does not name the change: what to go on from if the next failure is the same. */
  readonly otherwise?: Project;
}
