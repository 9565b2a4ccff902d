import type { CommentState } from "../forge/comment-marker.ts";
import type { Artifact } from "../forge/posting/artifact.ts";
import type { MeasuredRun, OpenPull, RunOfEvent } from "../forge/posting/measured-run.ts";
import type { ArtifactDocument } from "../forge/posting/strangers-report.ts";
import type { Links } from "../report/links.ts";
import type { Answer, CommentOutcome } from "./forge.ts";
import type { JobPorts } from "./progress.ts";
import type { ReportPorts } from "./report.ts";

export interface PostPorts extends JobPorts {
  readonly posting: PostingForge | Extract<RunOfEvent, { kind: "none" }>;
}

type FoundRun = Extract<RunOfEvent, { kind: "run" }>;

/** A forge's answers about the run that started the workflow that posts. Refusals are values. */
export interface PostingForge extends FoundRun {
  readRun(runId: number): Promise<Answer<MeasuredRun>>;
  listPulls(run: MeasuredRun): Promise<Answer<readonly OpenPull[]>>;
  /** Artifacts of the run. GitHub may list one late, so the list is read again while none has a wanted name. */
  listArtifacts(run: MeasuredRun, isWanted: (name: string) => boolean): Promise<Answer<readonly Artifact[]>>;
  /** The documents of an artifact, read in memory and within limits; nothing is written. */
  readArtifact(artifact: Artifact): Promise<Answer<readonly ArtifactDocument[]>>;
  linksOf(run: MeasuredRun): Links;
  comment(report: {
    readonly pullNumber: number;
    readonly state: CommentState;
    render(marker: string): string;
  }): Promise<CommentOutcome>;
}

export type AnnouncePorts = Pick<ReportPorts, "progress" | "links" | "comment">;
