import { type Entry, fromBufferPromise } from "yauzl";
import { messageOf } from "../../errors/errors.ts";
import {
  type ArchiveEntry,
  entriesProblem,
  isRead,
  largestContentBytes,
  mostEntries,
} from "../../github/posting/artifact.ts";
import type { ArtifactDocument } from "../../github/posting/strangers-report.ts";

export type ZipDocuments =
  | { readonly kind: "documents"; readonly documents: readonly ArtifactDocument[] }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Reads the documents of a stranger's archive in memory. The list of contents is judged as a whole before anything is
 * inflated. Inflating stops as soon as a file is longer than that list says.
 */
export async function readZipDocuments(archive: Buffer): Promise<ZipDocuments> {
  try {
    return await read(archive);
  } catch (error) {
    // The reader's own words quote the archive.
    return refused(
      messageOf(error).startsWith("too many bytes")
        ? "a file is longer than it says"
        : "it is no sound archive",
    );
  }
}

async function read(archive: Buffer): Promise<ZipDocuments> {
  const zip = await fromBufferPromise(archive, { strictFileNames: true });
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > mostEntries) break; // the list may be long, too
  }
  const problem = entriesProblem(entries.map(entryOf));
  if (problem !== undefined) return refused(problem);
  const documents: ArtifactDocument[] = [];
  // Several entries may share one stretch of the archive, so the output is counted, too.
  let room = largestContentBytes;
  for (const entry of entries.filter(({ fileName }) => isRead(fileName))) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      room -= chunk.length;
      if (room < 0) return refused(`it holds more than ${largestContentBytes} bytes`);
      chunks.push(chunk);
    }
    documents.push({ name: entry.fileName, text: Buffer.concat(chunks).toString("utf8") });
  }
  return { kind: "documents", documents };
}

/** Unix keeps the type of a file in the upper half of these bits: 0 where the archive was not made on Unix. */
const typeOf = (entry: Entry) => (entry.externalFileAttributes >>> 28) & 0xf;
const regularFile = 0x8;

function entryOf(entry: Entry): ArchiveEntry {
  const isRegular = typeOf(entry) === 0 || typeOf(entry) === regularFile;
  return {
    name: entry.fileName,
    bytes: entry.uncompressedSize,
    isPlainFile: isRegular && !entry.isEncrypted() && entry.canDecodeFileData(),
  };
}

function refused(reason: string): ZipDocuments {
  return { kind: "refused", reason };
}
