import { join, resolve } from "node:path";
import { readHistoryFolder, readPageScript } from "../adapters/files/index.ts";
import { readHistoryAtRef } from "../adapters/git/index.ts";
import { packageFolder } from "../adapters/process/index.ts";
import { askOtava } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { Trending } from "../history/trends/trending.ts";
import type { TrendsPorts } from "../ports/report.ts";
import { cacheFolderOf } from "./measure.ts";
import { pageScriptPath } from "./report.ts";
import { files } from "./run.ts";
import type { Shared } from "./shared.ts";

export function trendsPorts({ resultsDirectory, python }: Trending, shared: Shared): TrendsPorts {
  const { environment, runner, signal, terminal } = shared;
  const results = openResultsFolder(resolve(resultsDirectory));
  return {
    progress: terminal.progress,
    readHistory: async (history) => {
      return files.isFolder(history)
        ? (readHistoryFolder(history) ?? "holds no cells/REPORT/COMMIT.jsonl")
        : readHistoryAtRef(process.cwd(), history, { logFolder: await shared.workFolder(), signal });
    },
    findChanges: async (question) => {
      const installing = "installing Apache Otava, which finds change points";
      return askOtava(question, {
        programFolder: join(packageFolder, "tools", "otava"),
        python,
        cacheFolder: cacheFolderOf(environment),
        logFolder: await shared.workFolder(),
        signal,
        onStep: () => terminal.progress({ kind: "step", text: installing }),
      });
    },
    readPageScript: () => readPageScript(pageScriptPath),
    save: (name, text) => results.write(name, text),
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
    print: (text) => terminal.finish(text),
  };
}
