import { expect, test } from "vitest";

import { parseTrending } from "../../../src/history/trends/trending.ts";

const wanted = { history: "origin/loadtest-history", resultsFolder: "loadtest-results", python: "auto" };
const known = "known are --history, --results-folder, --python";
const bad = "history: must be a folder or a ref, e.g. origin/loadtest-history";

test.for([
  [["--history", wanted.history], {}, wanted],
  [[`--history=${wanted.history}`], {}, wanted],
  [[], { INPUT_HISTORY: wanted.history }, wanted],
  [["--history", "folder"], { INPUT_HISTORY: "x" }, { ...wanted, history: "folder" }],
  [
    ["--history", "a b", "--results-folder", "out", "--python=python3.12"],
    { INPUT_RESULTS_FOLDER: "x", INPUT_PYTHON: "y" },
    { history: "a b", resultsFolder: "out", python: "python3.12" },
  ],
  [
    [],
    { INPUT_HISTORY: "h", INPUT_RESULTS_FOLDER: "o", INPUT_PYTHON: "p" },
    { history: "h", resultsFolder: "o", python: "p" },
  ],
  [[], {}, bad],
  [["--history", ""], {}, bad],
  [["--history="], {}, bad],
  [["--history", "--upload-pack=x"], {}, `${bad} (got "--upload-pack=x")`],
  [["--history", "-x"], {}, `${bad} (got "-x")`],
  [[], { INPUT_HISTORY: "-x" }, `${bad} (got "-x")`],
  [["--history"], {}, "--history needs a value"],
  [["--history", "x", "--python"], {}, "--python needs a value"],
  [["--history", "x", "--foo", "y"], {}, `"--foo" is not an option of trends; ${known}`],
  [["--history", "x", "--foo=y"], {}, `"--foo=y" is not an option of trends; ${known}`],
  [["history"], {}, `"history" is not an option of trends; ${known}`],
  // Else the page would land in the working folder.
  [["--history=h", "--results-folder=", "--python", ""], {}, { ...wanted, history: "h" }],
  [
    ["--history=", "--results-folder=", "--python="],
    { INPUT_HISTORY: "h", INPUT_RESULTS_FOLDER: "o", INPUT_PYTHON: "p" },
    { history: "h", resultsFolder: "o", python: "p" },
  ],
] as const)("%j with %j", ([words, environment, expected]) => {
  expect(parseTrending(words, environment)).toEqual(expected);
});
