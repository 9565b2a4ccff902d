import { parseStackDocuments } from "../diagnosis/functions/stack-documents.ts";
import type { StackDocument } from "../model/findings/stack-document.ts";
import type { Probe } from "../ports/app.ts";

/** A look waits for as long as a process usually needs to write; after thousands of deep stacks it may need more. */
const mostLooks = 4;

/**
 * Samples of each process of a running server; a sentence where there are none that can be read. Read them before the
 * server is stopped: what it has not written by then is lost.
 */
export async function readStacks(
  probe: Probe,
  window: string,
  workers: number,
): Promise<readonly StackDocument[] | string> {
  for (let look = 1; ; look += 1) {
    const { documents, warnings } = parseStackDocuments(await probe.readFiles(), window);
    const [doubt] = warnings;
    if (doubt !== undefined) return doubt;
    if (documents.length >= workers) return documents;
    if (look >= mostLooks) return documents.length > 0 ? documents : "no process wrote its samples in time";
  }
}
