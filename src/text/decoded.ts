/** A text, or why bytes are none, as the end of a sentence about their file. */
export type Decoded = { readonly text: string } | { readonly problem: string };

const marks: readonly (readonly [mark: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Reads bytes by their byte-order mark, which is left out, else as UTF-8. Nothing is replaced. */
export function decodeText(bytes: Uint8Array): Decoded {
  const label = labelOf(bytes) ?? "utf-8";
  const text = decodedAs(label, bytes);
  if (text !== undefined) return { text };
  if (label !== "utf-8") return { problem: `is not ${label.toUpperCase()}, as its first bytes say` };
  const line = firstBadLine(bytes);
  return { problem: `is not UTF-8: line ${line} has other bytes; save it as UTF-8` };
}

export function labelOf(bytes: Uint8Array): string | undefined {
  return marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
}

/** `undefined` when the bytes are not in that encoding, or it is unknown. */
export function decodedAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function firstBadLine(bytes: Uint8Array): number {
  const newline = 0x0a;
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (decodedAs("utf-8", bytes.subarray(start, next)) === undefined) break;
    start = next;
  }
  return line;
}
