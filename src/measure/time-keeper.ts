import type { Design } from "../model/plan/plan.ts";
import type { ClockPorts } from "../ports/clock.ts";

export type TimeKeeper = ReturnType<typeof timeKeeper>;

/** Tells when the minutes are used up: when another replicate as long as the longest so far would not fit. */
export function timeKeeper({ maxMinutes }: Design, ports: ClockPorts) {
  const endSeconds = ports.clock() + maxMinutes * 60;
  let longestSeconds = 0;
  let beganSeconds = 0;
  return {
    isOver: (reservedSeconds: number) => ports.clock() + longestSeconds > endSeconds - reservedSeconds,
    begin: () => {
      beganSeconds = ports.clock();
    },
    /** After each replicate. */
    lap: () => {
      longestSeconds = Math.max(longestSeconds, ports.clock() - beganSeconds);
      beganSeconds = ports.clock();
    },
  };
}
