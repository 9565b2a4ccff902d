/** An edit of `work.py` or `app.py` that changes nothing of what they do. */
export interface Edit {
  readonly name: string;
  readonly make: (file: string, text: string) => string;
}

const inWork = (change: (text: string) => string) => (file: string, text: string) =>
  file === "work.py" ? change(text) : text;

export const edits: readonly Edit[] = [
  { name: "none", make: (_, text) => text },
  { name: "comments", make: (_, text) => text.replaceAll(/^(?=def |async def |class )/gm, "# A comment.\n") },
  {
    name: "names",
    make: (_, text) => text.replaceAll(/\bburn\b/g, "spend_rounds").replaceAll("Item", "Ware"),
  },
  {
    name: "order",
    make: inWork((text) => {
      const [head = "", burn = "", share = ""] = text.split(/^(?=def )/m);
      return `${head}${share.trimEnd()}\n\n\n${burn.trimEnd()}\n`;
    }),
  },
  {
    name: "docstring",
    make: inWork((text) => text.replace(":\n    total = 0", ':\n    """Adds."""\n    total = 0')),
  },
  {
    name: "function",
    make: inWork((text) => `${text}\n\ndef unused(value: int) -> int:\n    return value + 1\n`),
  },
  { name: "types", make: inWork((text) => text.replace("total = 0", "total: int = 0")) },
];

/** Rounds of `burn` that take 1% of the CPU time of a request to each of these endpoints, on the machine of the other figures. */
export const roundsOfOnePercent: Readonly<Record<string, number>> = {
  "/models": 69,
  "/text": 96,
  "/json": 173,
  "/sets": 84,
};

/** Adds that work. */
export const dearer: Edit = {
  name: "dearer",
  make: (_, text) =>
    Object.entries(roundsOfOnePercent).reduce(
      (edited, [path, rounds]) =>
        edited.replace(new RegExp(`@app.get."${path}".\\n.*:\\n`), `$&    burn(${rounds})\n`),
      text,
    ),
};
