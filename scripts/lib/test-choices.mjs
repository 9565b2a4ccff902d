/** What a command runs: Vitest's projects, the folders of pytest, and how many cases each fuzz test tries. */
export const choices = {
  usual: {
    vitest: { pure: ["pure"], real: ["fuzz", "programs", "timed", "alone"] },
    pytest: ["target-app", "probe"],
    fuzzCases: 2_000,
  },
  all: {
    vitest: { pure: ["pure"], real: ["fuzz", "programs", "long", "timed", "alone"] },
    pytest: ["target-app", "probe"],
    fuzzCases: 10_000,
  },
  /** What another processor or another Node may change. */
  programs: { vitest: { real: ["programs", "timed", "alone"] }, pytest: ["probe"], fuzzCases: 0 },
};

export const options = {
  // The core and the commands must be covered by their own tests; counting what all the others reach takes minutes.
  vitest: { pure: ["--coverage"] },
  // Its tests wait most of the time, so two processes share the files; a third would spoil what they time.
  pytest: { probe: ["--numprocesses=2", "--dist=loadfile"] },
};
