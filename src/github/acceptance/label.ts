import { opening, type Remark } from "./command.ts";

/** A label that somebody put on a pull request, or took off it. */
export interface Labelling {
  readonly id: number;
  readonly isOn: boolean;
  readonly label: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly url: string;
  /** In the form of a remark's `writtenAt`. */
  readonly at: string;
}

/**
 * Labels that are still on, as remarks of those who put them there: `loadtest accept /orders` is such a line without its
 * slash, and without a reason. From the oldest to the newest labelling.
 */
export function remarksOfLabels(labellings: readonly Labelling[]): readonly Remark[] {
  const newest = new Map(labellings.map((each) => [each.label, each]));
  return [...newest.values()]
    .filter(({ isOn, label }) => isOn && `/${label}`.startsWith(opening))
    .map(({ id, label, author, isBot, url, at }) => ({
      ...{ id: `l${id}`, author, isBot, url, writtenAt: at },
      body: `/${label}: with a label`,
    }));
}
