import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";

import { TimeOver, within } from "../process/index.ts";

/** Answers of a server that works come at once. */
const answerWithinMs = 2_000;
const mostBytes = 1_000_000;

/**
 * Says texts through a WebSocket that has just been opened, each after a message that came back for the one before.
 *
 * @param head what came with the opening
 * @returns the number of texts that were answered; the first one without an answer is the last one said
 */
export async function countAnswers(
  texts: readonly string[],
  socket: Duplex,
  head: Buffer,
  signal: AbortSignal,
): Promise<number> {
  let bytes = head;
  let wake: () => void = () => undefined;
  let isOpen = true;
  const end = () => {
    isOpen = false;
    wake();
  };
  socket.on("error", end).on("close", end);
  socket.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    wake();
  });
  const message = async (): Promise<boolean> => {
    for (;;) {
      const frame = firstFrame(bytes);
      if (frame !== undefined) bytes = bytes.subarray(frame.end);
      if (frame?.isMessage) return true;
      if (frame?.isEnd || !isOpen || bytes.length > mostBytes) return false;
      if (frame === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  for (const [index, text] of texts.entries()) {
    if (!isOpen) return index;
    socket.write(textFrame(text));
    try {
      if (!(await within({ ms: answerWithinMs, signal }, message))) return index;
    } catch (error) {
      if (error instanceof TimeOver) return index;
      throw error;
    }
  }
  return texts.length;
}

/** A whole text of at most 125 bytes, masked as those of clients have to be (RFC 6455). */
function textFrame(text: string): Buffer {
  const [mask, payload] = [randomBytes(4), Buffer.from(text)];
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked]);
}

interface Frame {
  /** True for the last part of a text or of bytes. */
  readonly isMessage: boolean;
  /** True when the server says that it closes the connection. */
  readonly isEnd: boolean;
  /** Its length. */
  readonly end: number;
}

/** `undefined` until the whole frame has come. */
function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [kind, size] = [bytes.readUInt8(0), bytes.readUInt8(1) & 0x7f];
  const start = size < 126 ? 2 : size === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = size < 126 ? size : size === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  const code = kind & 0x0f;
  return { isMessage: kind >= 0x80 && code <= 2, isEnd: code === 8, end };
}
