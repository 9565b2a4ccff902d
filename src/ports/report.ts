import type { Document } from "../model/measurement/documents.ts";
import type { Annotation } from "../report/forge/annotations.ts";
import type { Links } from "../report/links.ts";
import type { MetricsRequest, MetricsSender } from "../report/metrics/otlp-metrics.ts";
import type { PageScript } from "../report/render/html/page.ts";
import type { Forge } from "./forge.ts";
import type { JobPorts } from "./progress.ts";

export type MetricsOutcome =
  | { readonly kind: "sent"; readonly place: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** No receiver is configured. */
  | { readonly kind: "none" };

export interface ReportPorts extends Forge, JobPorts {
  readonly links: Links;
  readonly terminal: { readonly width: number | undefined; readonly colour: boolean };
  readPlan(): Promise<string | undefined>;
  /** The documents of one cell follow each other. Each is read when it is taken. */
  readCells(): Promise<Iterable<Document>>;
  readLogs(paths: readonly string[]): Promise<readonly string[]>;
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Returns the path of the document in the results folder. */
  save(name: string, text: string): Promise<string>;
  /** Sends figures to the receiver of metrics that the environment names. `make` gets what belongs to it. */
  sendMetrics(make: (around: MetricsSender) => MetricsRequest): Promise<MetricsOutcome>;
  /** Shows remarks at lines of the repository; nothing happens outside of an action. */
  annotate(annotations: readonly Annotation[]): Promise<void>;
  print(text: string): void;
}
