import { type StackDocument, stackDocumentSchema } from "../../model/findings/stack-document.ts";
import { jsonOf } from "../../text/json.ts";
import type { ProbeFile } from "../probe-documents.ts";

/** Reads the samples that the processes of one arm took in a window; files of another form are left out. */
export function parseStackDocuments(
  files: readonly ProbeFile[],
  window: string,
): { readonly documents: readonly StackDocument[]; readonly warnings: readonly string[] } {
  const documents: StackDocument[] = [];
  const warnings: string[] = [];
  for (const { name, text } of files.filter(({ name: each }) => each.startsWith("worker-"))) {
    const result = stackDocumentSchema.safeParse(jsonOf(text));
    if (!result.success) warnings.push(`Left out ${name}: no samples of this version's probe.`);
    else if (result.data.window === window) {
      documents.push(result.data);
      warnings.push(...result.data.unseen);
    }
  }
  return { documents, warnings: [...new Set(warnings)] };
}
