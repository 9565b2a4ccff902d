const spellings: ReadonlyMap<string, string> = new Map([
  ["±", "+-"],
  ["−", "-"],
  ["→", "->"],
  ["–", "-"],
  ["…", ".."],
  ["×", "x"],
  ["⟨", "<"],
  ["⟩", ">"],
  ["█", "#"],
  ["░", "."],
]);

/** Spells our own signs in ASCII for terminals that know nothing else; any other character becomes a question mark. */
export function toAscii(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, (character) => spellings.get(character) ?? "?");
}
