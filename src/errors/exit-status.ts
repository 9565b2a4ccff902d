export const exitStatus = {
  fine: 0,
  /** A threshold was broken, or an endpoint got slower by as much as the check forbids. */
  forbidden: 1,
  badInput: 2,
  /** The app, its database or k6 could not run, or the machine could not. */
  environmentFailed: 3,
  ourFault: 4,
} as const;
