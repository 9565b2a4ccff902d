import fc from "fast-check";

import { hostilePieces } from "./gfm.ts";

/** Any text, mostly made of attacks. */
export const hostileText = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...hostilePieces), fc.string({ unit: "binary", maxLength: 4 })), {
      maxLength: 12,
    })
    .map((pieces) => pieces.join("")),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);
