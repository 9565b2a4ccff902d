import type { HistoryText } from "../history/trends/history.ts";
import type { PageScript } from "../report/render/html/page.ts";
import type { JobPorts } from "./progress.ts";
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
