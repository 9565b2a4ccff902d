import type * as z from "zod";

/**
 * The schema, which passes a value that is fine as it is. zod looks at each part of a value by itself and copies it, which
 * takes most of a large report's time and memory. What is not fine goes zod's way, and is refused in its words.
 */
export function passed<T extends z.ZodType>(schema: T, isFine: (value: unknown) => boolean): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => (isFine(payload.value) ? payload : run(payload, context));
  return schema;
}
