import * as z from "zod";
import { jsonOf } from "../../text/json.ts";

/** A length as Go writes it, e.g. `1h2m3.5s` or `500ms`. */
const lengthPattern = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)(m?s))?$/;
const schema = z.object({ totalDuration: z.string().regex(lengthPattern) });

/**
 * The longest time of a k6 script's load in seconds, graceful stops included, from `k6 inspect --execution-requirements`;
 * `undefined` when the text does not say.
 */
export function parseScriptLength(text: string): number | undefined {
  const read = schema.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const [, hours = 0, minutes = 0, last = 0, unit] = lengthPattern.exec(read.data.totalDuration) ?? [];
  return 3_600 * Number(hours) + 60 * Number(minutes) + Number(last) / (unit === "ms" ? 1_000 : 1);
}
