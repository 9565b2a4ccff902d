import { type ProbeDocument, probeDocumentSchema } from "../model/findings/probe-document.ts";

/** A file that a process of the app left for us. */
export interface ProbeFile {
  readonly name: string;
  readonly text: string;
}

const mostFiles = 1_000;
const longestText = 4_000_000;

/**
 * Reads what the probe wrote during one window. A file that is not the probe's costs no other its place; one of another
 * window says nothing about this one.
 */
export function parseProbeDocuments(
  files: readonly ProbeFile[],
  window: string,
): { readonly documents: readonly ProbeDocument[]; readonly warnings: readonly string[] } {
  const documents: ProbeDocument[] = [];
  const warnings: string[] = [];
  for (const { name, text } of files.slice(0, mostFiles)) {
    const result = text.length > longestText ? undefined : probeDocumentSchema.safeParse(parseJson(text));
    if (result === undefined) warnings.push(`Left out ${name}: longer than ${longestText} characters.`);
    else if (!result.success) {
      const [issue] = result.error.issues;
      const where = issue?.path.join(".") || "document";
      warnings.push(`Left out ${name}: not a document of this version's probe (${where}).`);
    } else if (result.data.window === window) documents.push(result.data);
  }
  if (files.length > mostFiles) warnings.push(`Left out ${files.length - mostFiles} files of the probe.`);
  return { documents, warnings };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no schema accepts it
  }
}
