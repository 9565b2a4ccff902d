import { openCommitRange } from "../adapters/git/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { BisectPorts } from "../ports/run.ts";
import { runPorts } from "./run.ts";
import type { Shared } from "./shared.ts";

const state = "bisect.json";

export function bisectPorts(shared: Shared): BisectPorts {
  return {
    ...runPorts(shared),
    signal: shared.signal,
    openRange: async (good, bad) => {
      const workFolder = await shared.workFolder();
      const options = { workFolder, logFolder: workFolder, signal: shared.signal };
      return await openCommitRange(process.cwd(), { good, bad }, options);
    },
    readState: (folder) => openResultsFolder(folder).read(state),
    saveState: async (folder, text) => {
      const results = openResultsFolder(folder);
      await results.make();
      await results.write(state, text);
    },
  };
}
