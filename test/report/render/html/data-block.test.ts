import fc from "fast-check";
import { expect, test } from "vitest";

import { dataBlock } from "../../../../src/report/render/html/document-head.ts";
import { hostileText } from "../../../text/hostile-text.ts";

test("whatever a text holds, the block ends where we end it and gives the text back", () => {
  fc.assert(
    fc.property(
      fc.oneof(hostileText, fc.constantFrom("</script>", "<!--<script>", "\u2028\u2029")),
      (text) => {
        const { markup } = dataBlock("data", { text });
        const [start = "", json = "", ...rest] = markup.split(/(?<=^<script[^>]*>)|(?=<\/script>$)/);
        expect([start, ...rest]).toEqual(['<script type="application/json" id="data">', "</script>"]);
        expect(json).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual({ text });
      },
    ),
  );
});
