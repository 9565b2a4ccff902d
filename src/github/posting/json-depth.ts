/** Depth of nested lists and objects in JSON text. Works on any text, in one pass and without recursion. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text[index];
    if (isInString) {
      if (unit === "\\") index++;
      else if (unit === '"') isInString = false;
    } else if (unit === '"') isInString = true;
    else if (unit === "[" || unit === "{") deepest = Math.max(deepest, ++depth);
    else if (unit === "]" || unit === "}") depth--;
  }
  return deepest;
}
