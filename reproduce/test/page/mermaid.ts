import DOMPurify from "dompurify";

// Mermaid cleans texts even when it only parses them, and DOMPurify offers nothing without a browser's document.
// Its parser does not depend on what the cleaning returns.
Object.assign(DOMPurify, { addHook: () => undefined, sanitize: (text: string) => text });
const { default: mermaid } = await import("mermaid");

/** The Mermaid blocks of a markdown text. */
export function mermaidBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** Reads a block with Mermaid's own parser; throws its error. */
export async function parseMermaid(block: string): Promise<string> {
  const { diagramType } = await mermaid.parse(block);
  return diagramType;
}
