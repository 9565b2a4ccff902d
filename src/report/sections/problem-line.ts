import type { Absence } from "../../compare/problem.ts";
import { shortenEnd } from "../../text/length.ts";
import { type Line, line, sentence, strong } from "../document/inline.ts";

/** Characters of a reason in a table. The full text stands with the log. */
export const longestReason = 100;

/** The reason for missing figures: `**failed** while starting the app: the server exited`. `where`: the cells. */
export function problemLine(
  { state, during, reason }: Absence,
  { most = Number.POSITIVE_INFINITY, where = [] }: { readonly most?: number; readonly where?: Line } = {},
): Line {
  return line(
    strong(state),
    where.length > 0 ? " " : "",
    where,
    during && ` ${during}`,
    ": ",
    sentence(shortenEnd(reason, most)),
  );
}
