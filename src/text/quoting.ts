/** Words that a shell takes as they are. */
const plain = /^[\w./:@%+=,-]+$/;

/** Characters that no terminal shows as they are, except the end of a line. */
const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

/** Words for a POSIX shell; `undefined` when one has an invisible character, which nobody should copy. */
export function shellWords(words: readonly string[]): string | undefined {
  if (words.some((word) => unseen.test(word))) return undefined;
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** Text of a part of a URL. A stray percent sign is not ours to judge. */
export function textOfUrlPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text as a part of a URL. URLs cannot hold half of a surrogate pair, so it becomes the replacement character. */
export function urlPart(text: string | number): string {
  return encodeURIComponent(String(text).replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
