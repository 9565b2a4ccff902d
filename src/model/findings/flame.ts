import * as z from "zod";

const milliseconds = z.number().nonnegative().max(1e9);
const mostNames = 1_500;
export const mostNodes = 1_500;

/** Where the CPU time of a request goes: a tree of functions, each before those that it calls. Foreign text. */
export const flameSchema = z.strictObject({
  names: z.array(z.string().max(120)).max(mostNames),
  /**
   * Depth, index of its name, and CPU time with all that it calls in milliseconds per request: of the head, and of the base
   * if there is one. The first is the whole request.
   */
  nodes: z
    .array(
      z.tuple([
        z.int().nonnegative().max(400),
        z.int().nonnegative().max(mostNames),
        milliseconds,
        milliseconds.nullable(),
      ]),
    )
    .max(mostNodes),
});
export type Flame = z.infer<typeof flameSchema>;
