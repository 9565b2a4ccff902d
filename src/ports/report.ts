import type { CommentState } from "../forge/comment-marker.ts";
import type { Artifact } from "../forge/posting/artifact.ts";
import type { MeasuredRun, OpenPull, RunOfEvent } from "../forge/posting/measured-run.ts";
import type { ArtifactDocument } from "../forge/posting/strangers-report.ts";
import type { HistoryText } from "../history/trends/history.ts";
import type { Document } from "../model/measurement/documents.ts";
import type { Annotation } from "../report/forge/check-run.ts";
import type { Links } from "../report/links.ts";
import type { PageScript } from "../report/render/html/page.ts";
import type { Answer, CommentOutcome, Forge } from "./forge.ts";
import type { JobPorts } from "./progress.ts";

export interface ReportPorts extends Forge, JobPorts {
  readonly links: Links;
  /** The words that start this program once more; `undefined` where the report's readers do not have it. */
  readonly program: readonly string[] | undefined;
  readonly terminal: { readonly width: number | undefined; readonly colour: boolean };
  readPlan(): Promise<string | undefined>;
  /** The documents of one cell follow each other. Each is read when it is taken. */
  readCells(): Promise<Iterable<Document>>;
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Returns the path of the document in the results folder. */
  save(name: string, text: string): Promise<string>;
  /** Shows remarks at lines of the repository; nothing happens outside of an action. */
  annotate(annotations: readonly Annotation[]): Promise<void>;
  print(text: string): void;
}

/** The answer of another program, or a sentence that says why it could not answer. */
export type Answered =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "no answer"; readonly reason: string };

export interface TrendsPorts extends JobPorts {
  /** The texts of a folder or a ref, or a sentence without a subject when there are none. */
  readHistory(history: string): Promise<readonly HistoryText[] | string>;
  /** Requests change points from the engine, in the form of `tools/otava/change_points.py`. */
  findChanges(question: string): Promise<Answered>;
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Returns the path of the document in the results folder. */
  save(name: string, text: string): Promise<string>;
  print(text: string): void;
}

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
