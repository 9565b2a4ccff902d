/** Words that a shell takes as they are. */
const plain = /^[\w./:@%+=,-]+$/;

/** Characters that no terminal shows as they are, except the end of a line. */
const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Words that a POSIX shell reads back, on one line unless a word has several. `undefined` when a word has an invisible
 * character: nobody should copy text that they cannot read.
 */
export function shellWords(words: readonly string[]): string | undefined {
  if (words.some((word) => unseen.test(word))) return undefined;
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
