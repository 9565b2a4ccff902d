import type { Markup } from "../../../text/html.ts";

/**
 * JSON as the text of a `<script type="application/json">`, which browsers never run. Nothing in it can end the block:
 * every `<` is written as an escape of JSON, and so are the two line ends that only JavaScript knows.
 */
export function dataBlock(id: string, data: object): Markup {
  const json = JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return { markup: `<script type="application/json" id="${id}">${json}</script>` };
}
