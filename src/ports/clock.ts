/** What no two runs have in common. */
export interface ClockPorts {
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}
