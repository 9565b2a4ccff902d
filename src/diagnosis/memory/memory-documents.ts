import { type MemoryDocument, memoryDocumentSchema } from "../../model/findings/stack-document.ts";
import { jsonOf } from "../../text/json.ts";
import type { ProbeFile } from "../probe-documents.ts";

/** What the processes of one arm wrote last. */
export interface MemoryDocuments {
  /** Of the window. */
  readonly documents: readonly MemoryDocument[];
  /** Number of processes that have not written of the window. */
  readonly behind: number;
  /** Why their figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Reads what each process keeps in memory since the window before; files of another form are a doubt. */
export function parseMemoryDocuments(files: readonly ProbeFile[], window: string): MemoryDocuments {
  const parsed = files
    .filter(({ name }) => name.startsWith("worker-"))
    .map(({ name, text }) => ({ name, ...memoryDocumentSchema.safeParse(jsonOf(text)) }));
  const known = parsed.flatMap(({ data }) => data ?? []);
  const documents = known.filter((each) => each.window === window);
  const strange = parsed.filter(({ success }) => !success);
  const doubts = [
    ...strange.map(({ name }) => `${name} is no document of this version's probe`),
    ...documents.flatMap(({ unseen }) => unseen),
  ];
  return { documents, behind: known.length - documents.length, doubts: [...new Set(doubts)] };
}
