/** CI also counts coverage, which takes half as long again, and tries more random cases. */
const isCi = process.env.CI === "true";

/**
 * The parts of each command: Vitest's projects, if coverage is counted, the folders of pytest, and the number of cases
 * for each fuzz test. `order`: parts of one list run side by side, the lists in turn. `again`: parts whose failed tests
 * run once more at the end, with the machine to themselves.
 */
export const choices = {
  usual: {
    vitest: { pure: ["pure"], real: ["fuzz", "programs", "timed", "alone"] },
    // The core and the commands must be covered by their own tests; the reach of all others does not count.
    coverage: isCi ? ["pure"] : [],
    // Beside the pure tests they would take as long in all, and miss their moments.
    order: [["pure"], ["real"], ["target-app", "probe"]],
    again: ["real", "target-app", "probe"],
    fuzzCases: isCi ? 10_000 : 2_000,
  },
  /** What takes minutes each. */
  long: {
    vitest: { long: ["long", "long-alone"] },
    coverage: [],
    order: [["long"]],
    again: ["long"],
    fuzzCases: 0,
  },
  /** Tests that another processor or another Node may change. */
  programs: {
    vitest: { real: ["programs", "timed", "alone"] },
    coverage: [],
    order: [["real"], ["probe"]],
    again: ["real", "probe"],
    fuzzCases: 0,
  },
};

/** A bad moment of a machine lasts seconds, so the later tries wait. */
const reruns = ["--reruns=4", "--reruns-delay=3"];

export const options = {
  // As Vitest's `real` tests: another try tells a machine's bad moment from a defect, and the summary names it.
  pytest: {
    "target-app": [...reruns, "-rR"],
    // Its tests wait most of the time, so two processes share the files; a third would spoil their timing.
    probe: [...reruns, "-rR", "--numprocesses=2", "--dist=loadfile"],
  },
};
