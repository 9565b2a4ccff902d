import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, readSync } from "node:fs";

import { messageOf } from "../../errors/errors.ts";
import { isCode } from "./child-process.ts";

/** Result of reading a file that others may have put there. */
type PlainFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

type NoPlainFile = Exclude<PlainFile, { kind: "text" }>;

interface PlainFileLimits {
  readonly largestBytes: number;
  /** True when the name itself may be a link; absent means true. */
  readonly followsLinks?: boolean;
}

/**
 * Reads a file of a folder that is not ours alone. A repository can hold a link to `/dev/zero`; a program can replace a
 * file by a pipe or go on writing while we read. So only a plain file is read, without waiting, and never more of it
 * than the limit.
 */
export function readPlainFile(path: string, limits: PlainFileLimits): PlainFile {
  const read = readPlainBytes(path, limits);
  return read.kind === "bytes" ? { kind: "text", text: decoded(read.bytes) } : read;
}

/** Bytes of such a file, for somebody who knows better what they are. They are valid until the next call. */
export function readPlainBytes(
  path: string,
  limits: PlainFileLimits,
): NoPlainFile | { readonly kind: "bytes"; readonly bytes: Buffer } {
  const opened = openPlainFile(path, limits);
  if ("kind" in opened) return opened;
  const { file, size } = opened;
  try {
    return readWithin(file, size, limits.largestBytes);
  } catch (error) {
    return { kind: "refused", reason: `cannot be read: ${messageOf(error)}` };
  } finally {
    closeSync(file);
  }
}

function openPlainFile(
  path: string,
  { largestBytes, followsLinks = true }: PlainFileLimits,
): NoPlainFile | { readonly file: number; readonly size: number } {
  let file: number;
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (followsLinks ? 0 : constants.O_NOFOLLOW);
    file = openSync(path, flags);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return { kind: "missing" };
    return { kind: "refused", reason: `cannot be read: ${messageOf(error)}` };
  }
  const about = fstatSync(file);
  if (about.isFile() && about.size <= largestBytes) return { file, size: about.size };
  closeSync(file);
  return about.isFile()
    ? tooLarge(about.size, largestBytes)
    : { kind: "refused", reason: "is not a plain file" };
}

/** Such a file piece by piece, for one of any size: as it was when it was opened. */
export function streamPlainFile(
  path: string,
  limits: PlainFileLimits,
): NoPlainFile | { readonly kind: "stream"; readonly chunks: AsyncIterable<Buffer> } {
  const opened = openPlainFile(path, limits);
  if ("kind" in opened) return opened;
  if (opened.size > 0)
    return { kind: "stream", chunks: createReadStream(path, { fd: opened.file, end: opened.size - 1 }) };
  closeSync(opened.file);
  return { kind: "stream", chunks: noChunks() };
}

async function* noChunks(): AsyncGenerator<Buffer> {}

/** Text of a file that comes with this program: nobody else's. Throws when it is not there. */
export function textOfOwnFile(path: string): string {
  return readFileSync(path, "utf8");
}

/** Text of such a file; `undefined` when there is none, for any reason. */
export function textOfPlainFile(path: string, limits: PlainFileLimits): string | undefined {
  const read = readPlainFile(path, limits);
  return read.kind === "text" ? read.text : undefined;
}

/** Reads to the end of the file, which may differ from its size: files of `/proc` have size 0. */
function readWithin(file: number, size: number, largestBytes: number) {
  let buffer = roomFor(Math.min(Math.max(size, 4_096), largestBytes) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) return { kind: "bytes", bytes: buffer.subarray(0, length) } as const;
    length += read;
    if (length > largestBytes) return tooLarge(length, largestBytes);
    if (length === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(2 * buffer.length, largestBytes + 1));
  }
}

/** Kept from one file to the next, because a report reads hundreds: new ones would wait for the collection of garbage. */
let room = Buffer.alloc(0);
const mostRoomBytes = 1_000_000;

/** Bytes to read into, at once and until the next call. */
function roomFor(bytes: number): Buffer {
  if (bytes > mostRoomBytes) return Buffer.alloc(bytes);
  if (room.length < bytes) room = Buffer.alloc(bytes);
  return room.subarray(0, bytes);
}

/** Shells of Windows write the output of a command in UTF-16, with a mark in front. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  return bytes.toString("utf8");
}

function tooLarge(bytes: number, largestBytes: number): Extract<PlainFile, { kind: "refused" }> {
  return { kind: "refused", reason: `has ${bytes} bytes or more; at most ${largestBytes} are allowed` };
}
