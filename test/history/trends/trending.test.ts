import { expect, test } from "vitest";

import { readRawInputs } from "../../../src/config/command-line.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { parseTrending } from "../../../src/history/trends/trending.ts";

const wanted = { history: "origin/loadtest-history", resultsDirectory: "loadtest-results", python: "auto" };
const bad = "history: must be a folder or a ref, e.g. origin/loadtest-history";
const parse = (words: readonly string[], environment: Readonly<Record<string, string>>) =>
  parseTrending(readRawInputs("trends", words, environment).raw);

test.for([
  [["--history", wanted.history], {}, wanted],
  [[`--history=${wanted.history}`], {}, wanted],
  [[], { INPUT_SETTINGS: `history: ${wanted.history}` }, wanted],
  [["--history", "folder"], { INPUT_SETTINGS: "history: x" }, { ...wanted, history: "folder" }],
  [
    ["--history", "a b", "--results-directory", "out", "--python=python3.12"],
    { INPUT_RESULTS_DIRECTORY: "x", INPUT_SETTINGS: "python: y" },
    { history: "a b", resultsDirectory: "out", python: "python3.12" },
  ],
  [
    [],
    { INPUT_SETTINGS: "history: h\npython: p", INPUT_RESULTS_DIRECTORY: "o" },
    { history: "h", resultsDirectory: "o", python: "p" },
  ],
  // Else the page would land in the working folder.
  [["--history=h", "--results-directory=", "--python", ""], {}, { ...wanted, history: "h" }],
  [
    ["--history=", "--results-directory=", "--python="],
    { INPUT_SETTINGS: "history: h\npython: p", INPUT_RESULTS_DIRECTORY: "o" },
    { history: "h", resultsDirectory: "o", python: "p" },
  ],
] as const)("%j with %j", ([words, environment, expected]) => {
  expect(parse(words, environment)).toEqual(expected);
});

const known = "choose from --settings, --python, --results-directory, --history";

test.for<
  readonly [
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
    problems: readonly string[],
  ]
>([
  [[], {}, [bad]],
  [["--history", ""], {}, [bad]],
  [["--history="], {}, [bad]],
  [["--history=--upload-pack=x"], {}, [`${bad} (got "--upload-pack=x")`]],
  [["--history", "-x"], {}, [`${bad} (got "-x")`]],
  [[], { INPUT_SETTINGS: "history: -x" }, [`${bad} (got "-x")`]],
  [["--history"], {}, ["--history needs a value"]],
  [["--history", "x", "--python"], {}, ["--python needs a value"]],
  [
    ["--history", "--upload-pack=x"],
    {},
    ["--history needs a value", `--upload-pack is not an option of trends; ${known}`],
  ],
  [["--history", "x", "--foo=y"], {}, [`--foo is not an option of trends; ${known}`]],
  [["history"], {}, [`"history" is not an option of trends; ${known}`]],
])("%j with %j is refused", ([words, environment, problems]) => {
  expect(() => parse(words, environment)).toThrow(new InputError(problems));
});
