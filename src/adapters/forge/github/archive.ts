import { type Entry, fromBufferPromise } from "yauzl";
import { messageOf } from "../../../errors/errors.ts";
import {
  type ArchiveEntry,
  entriesProblem,
  isRead,
  largestContentBytes,
  mostEntries,
} from "../../../forge/posting/artifact.ts";
import type { ArtifactDocument } from "../../../forge/posting/strangers-report.ts";
import { within } from "../../process/index.ts";
import { RequestFailure } from "../failure.ts";
import { bodyWithin } from "../requests.ts";

type ZipDocuments =
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
        ? "a file is longer than its header says"
        : "the archive is damaged",
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

interface DownloadOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly mostBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Waits this many milliseconds between tries. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Waits before a server that is busy or restarting is tried again. */
const triesAfterMs = [1_000, 2_000];

/** Downloads into memory; `undefined` when it is too much. Errors omit the address, which works like a key. */
export async function downloadLimited(
  addressOf: () => Promise<string>,
  options: DownloadOptions,
): Promise<Buffer | undefined> {
  for (const waitMs of triesAfterMs) {
    try {
      return await downloadOnce(await addressOf(), options);
    } catch (error) {
      if (!(error instanceof Unanswered) || options.signal?.aborted) throw error;
      await options.pause(waitMs);
    }
  }
  return await downloadOnce(await addressOf(), options);
}

/** No answer, or a fault of the server. */
class Unanswered extends RequestFailure {}

async function downloadOnce(
  address: string,
  { fetch, mostBytes, timeoutMs, signal }: DownloadOptions,
): Promise<Buffer | undefined> {
  try {
    return await within({ ms: timeoutMs, signal }, async (until) => {
      const response = await fetch(address, { signal: until });
      if (response.ok && response.body !== null) return await bodyWithin(response.body, mostBytes);
      const Failure = response.status >= 500 ? Unanswered : RequestFailure;
      throw new Failure(`the artifact's server answered ${response.status}`);
    });
  } catch (error) {
    if (error instanceof RequestFailure) throw error;
    const words = messageOf(error).replaceAll(address, "its address");
    throw new Unanswered(`the artifact could not be downloaded (${words.slice(0, 200)})`);
  }
}
