import * as z from "zod";

// Each limit is far above a machine's work in a day, and low enough that no sum, quotient or square of a document's
// values leaves the numbers. A larger value was not measured, and the document is not used.

export const mostThings = 1e12;
export const count = z.int().nonnegative().max(mostThings);
export const milliseconds = z.number().nonnegative().max(1e15);
export const seconds = z.number().nonnegative().max(1e9);
/** A stretch of time that serves as a divisor. */
export const span = z.number().min(0.000_1).max(1e6);
export const bytes = z.number().nonnegative().max(1e18);
/** Limit of a ratio's logarithm and of its half width: beyond it nothing is known. */
export const mostLogarithm = 10;
/** A share of a time: 1 is all of it; it can be more when the time was not the one meant. */
export const share = z.number().nonnegative().max(1e6);

/** The schema, which passes fine values without zod's copies: those take most of a large report's time. */
export function passed<T extends z.ZodType>(schema: T, isFine: (value: unknown) => boolean): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => (isFine(payload.value) ? payload : run(payload, context));
  return schema;
}

interface NumberBounds {
  readonly least: number;
  readonly most: number;
  /** True when they are whole. Absent: false. */
  readonly isWhole?: true;
}

/** A list of numbers within bounds. Documents are made of such lists, millions of numbers in a large report. */
export function numberList(
  { least, most, isWhole }: NumberBounds,
  mostItems: number,
): z.ZodArray<z.ZodNumber> {
  const number = isWhole ? z.int().min(least).max(most) : z.number().min(least).max(most);
  return passed(z.array(number).max(mostItems), (value) => {
    if (!Array.isArray(value) || value.length > mostItems) return false;
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (typeof item !== "number" || !(item >= least && item <= most)) return false;
      if (isWhole && !Number.isInteger(item)) return false;
    }
    return true;
  });
}
