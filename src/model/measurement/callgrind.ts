/** Instructions that a file of callgrind counts; `undefined` for any other text. */
export function instructionsIn(text: string): number | undefined {
  if (!text.startsWith("# callgrind format")) return undefined;
  const [, count] = /^summary: (\d{1,15})$/m.exec(text.slice(0, 100_000)) ?? [];
  return count === undefined ? undefined : Number(count);
}
