import { figure } from "../text/numbers.ts";

/** A ratio with two decimals, as one compares them: `1.80`. */
export function timesWords(value: number): string {
  return value < 100 ? value.toFixed(2) : figure(value);
}

/** A share in whole percent: `87 %`. */
export function shareWords(value: number): string {
  return value < 100 ? `${Math.round(value * 100)} %` : `${figure(value * 100)} %`;
}

/** A small share with two digits that count: `0.12 %`. */
export function smallShareWords(value: number): string {
  return value === 0 ? "0" : `${Number((value * 100).toPrecision(2))} %`;
}
