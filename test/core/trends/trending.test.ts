import { expect, test } from "vitest";

import { parseTrending } from "../../../src/core/trends/trending.ts";

const usage = "trends takes --history FOLDER|REF, --results-folder FOLDER and --python PYTHON";
const wanted = { history: "origin/loadtest-history", resultsFolder: "loadtest-results", python: "auto" };
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
  [["--history", "--upload-pack=x"], {}, bad],
  [["--history"], {}, usage],
  [["history"], {}, usage],
  [["--report-id", "x"], {}, usage],
] as const)("%j with %j", ([words, environment, expected]) => {
  expect(parseTrending(words, environment)).toEqual(expected);
});
