/** Inputs that a command sets differently from `run`, unless they are given. */
export const usualInputs = {
  /** One minute shows a change of a few percent, and nobody waits for causes that the report has named. */
  again: {
    "max-minutes": "1",
    soak: "0s",
    diagnose: "never",
    "count-instructions": "never",
    comment: "false",
    "results-directory": "loadtest-again",
  },
  /** A comparison goes on until it is certain, and hardly ever needs this long. */
  bisect: { "max-minutes": "4", "results-directory": "loadtest-bisect" },
} as const;
