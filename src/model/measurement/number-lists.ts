import * as z from "zod";
import { passed } from "./passed.ts";

/** Bounds of the numbers in a list. */
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
  const bounds = { least, most, mostItems, isWhole: isWhole === true };
  return passed(z.array(number).max(mostItems), (value) => isFine(value, bounds));
}

/** Many such lists. */
export function numberLists(
  bounds: NumberBounds,
  mostItems: number,
  mostLists: number,
): z.ZodArray<z.ZodArray<z.ZodNumber>> {
  const ofEach = { ...bounds, mostItems, isWhole: bounds.isWhole === true };
  const isEachFine = (value: unknown) =>
    Array.isArray(value) && value.length <= mostLists && value.every((each) => isFine(each, ofEach));
  return passed(z.array(numberList(bounds, mostItems)).max(mostLists), isEachFine);
}

function isFine(
  value: unknown,
  {
    least,
    most,
    mostItems,
    isWhole,
  }: Required<Omit<NumberBounds, "isWhole">> & { mostItems: number; isWhole: boolean },
): value is number[] {
  if (!Array.isArray(value) || value.length > mostItems) return false;
  for (let index = 0; index < value.length; index += 1) {
    const item: unknown = value[index];
    if (typeof item !== "number" || !(item >= least && item <= most)) return false;
    if (isWhole && !Number.isInteger(item)) return false;
  }
  return true;
}
