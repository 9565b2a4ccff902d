/**
 * Puts lines between `# <NAME>` and `# </NAME>` of a YAML file, each with the indentation of the first mark, or text
 * between `<!-- NAME -->` and `<!-- /NAME -->` of a page. Throws where a mark is missing.
 */
export function withRegion(text: string, name: string, lines: readonly string[]): string {
  const pattern = new RegExp(`^( *)(# <${name}>.*\n)[\\s\\S]*?^ *# </${name}>$`, "m");
  if (!pattern.test(text)) throw new Error(`the file lacks # <${name}> and # </${name}>`);
  return text.replace(pattern, (_, indent: string, open: string) =>
    [indent + open.trimEnd(), ...lines.map((line) => indent + line), `${indent}# </${name}>`].join("\n"),
  );
}

export function withPart(page: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(open);
  const [, after] = (rest ?? "").split(close);
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${open} or ${close}`);
  return `${before}${open}\n\n${content}\n\n${close}${after}`;
}
