import { inputsOf, isOption, type Option, optionWord } from "../config/command-line.ts";
import type { InputVerb } from "../config/inputs/row.ts";
import { initUsage } from "../init/options.ts";
import { groupBy } from "../lists/group.ts";
import { wrap } from "../text/width.ts";
import { usualInputs } from "./usual-inputs.ts";

interface CommandHelp {
  readonly summary: string;
  readonly details?: string;
  readonly words?: string;
  /** The verb whose inputs are its options; absent: it takes none. */
  readonly inputsOf?: InputVerb;
  readonly options?: readonly DescribedOption[];
  /** Defaults of inputs where they differ from those of other commands. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Descriptions of inputs where they differ from those of other commands. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Inputs that have no effect here. */
  readonly without?: readonly string[];
}

interface DescribedOption extends Option {
  readonly description: string;
}

const jsonOption = {
  name: "json",
  description: "Print the same JSON as `explain` to standard output, and all other output to standard error.",
  isSwitch: true,
} as const;

const commands = {
  init: {
    summary: "write one workflow, and a configuration file for each app",
    details: "`init` starts each app to find its endpoints and shows every file that it writes.",
    options: initUsage.options,
  },
  check: {
    summary: "request each endpoint once and list missing settings",
    details:
      "`check` starts the app as `run` does, but measures nothing. The exit status is 2 if anything is missing.",
    inputsOf: "check",
    options: [
      {
        name: "watch",
        description: "Repeat the check whenever the configuration file changes.",
        isSwitch: true,
      },
      { name: "json", description: "Print JSON only.", isSwitch: true },
    ],
  },
  run: {
    summary: "measure the app, compare it with its base, and report the result",
    inputsOf: "run",
    options: [jsonOption],
  },
  explain: {
    summary: "print verdicts, causes and advice as JSON",
    details:
      "RESULTS is the folder with the results, by default `loadtest-results`. The output is at most 8 kB long unless `--all` is set.",
    words: "[RESULTS]",
    options: [
      { name: "all", description: "Print everything, without a size limit.", isSwitch: true },
      { name: "markdown", description: "Print the comment, in markdown, instead of JSON.", isSwitch: true },
    ],
  },
  again: {
    summary: "measure one cell again to see whether its slowdown is gone",
    details:
      "A cell is one endpoint at one worker count. For each slower cell, the report shows this command, ready to copy. It takes about a minute unless `--max-minutes` is set. The exit status is 0 only if the slowdown is gone.",
    words: "CELL",
    inputsOf: "run",
    defaults: usualInputs.again,
    options: [
      {
        name: "reported-slowdown",
        description:
          "The slowdown that the report was certain of. It counts as gone if the largest slowdown that could remain would pass the check, or is at most a quarter of this value.",
      },
      jsonOption,
    ],
  },
  bisect: {
    summary: "find the commit at which an endpoint got slower or faster",
    details:
      "`bisect` measures the commits that `git bisect` chooses, in its own checkout and with the current settings. Commits whose app does not start are skipped. To continue a search that ended early, run the same command again. The exit status is 0 if the commit is found, or if the two ends do not differ. It is 3 if the result is not certain.",
    inputsOf: "run",
    defaults: usualInputs.bisect,
    descriptions: { "max-minutes": "Maximum measuring time of each comparison, in minutes." },
    without: [
      ...["base-ref", "control", "duration", "soak", "diagnose", "comment", "comment-mode", "fail-on"],
      ...["max-slowdown", "thresholds", "check-name", "review-comments", "history-branch", "report-id"],
      ...["base-url", "head-url", "allow-target", "target-cap"],
    ],
    options: [
      { name: "good", description: "A commit before the change: a branch, tag or hash." },
      { name: "bad", description: "A commit with the change." },
      {
        name: "endpoint",
        description: "The endpoint, written as in `endpoints`. Default: the one that changed most.",
      },
    ],
  },
  plan: {
    summary: "list the cells and estimate how long it takes to measure them",
    details: "A cell is one endpoint at one worker count. `plan` starts no server.",
    inputsOf: "plan",
  },
  measure: {
    summary: "measure the cells and write the results of each to a file",
    inputsOf: "measure",
  },
  report: {
    summary: "turn the results into a report and post it as a comment",
    inputsOf: "report",
  },
  announce: {
    summary: "announce the run on the pull request",
    details: "Workflows run this command before any code from the pull request.",
    inputsOf: "announce",
    options: [
      { name: "withdraw", description: "Remove the announcement of a cancelled run.", isSwitch: true },
    ],
  },
  post: {
    summary: "post another run's report as a comment",
    details: "For workflows that are triggered by `workflow_run`.",
    inputsOf: "post",
  },
  trends: {
    summary: "show the recorded history and its change points on a web page",
    inputsOf: "trends",
    descriptions: {
      python:
        "Python interpreter for Apache Otava, which finds the change points: a program's name or path. `auto`: one that Otava supports.",
      history: "The recorded history, as a folder or a git ref, e.g. `origin/loadtest-history`.",
    },
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type Command = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly Command[];

const width = 80;

/** The text of `help COMMAND`; without a command, an overview of two screens. */
export function helpText(command?: Command): string {
  const lines = command === undefined ? overview() : helpOf(command, commands[command]);
  return `${lines.join("\n")}\n`;
}

function overview(): string[] {
  const widest = Math.max(...commandNames.map(({ length }) => length));
  return [
    "fastapi-loadtest: load-test a FastAPI app and compare it with its base",
    "Usage: fastapi-loadtest COMMAND [OPTION...]",
    "",
    "Commands (`help COMMAND` explains a command and its options):",
    ...commandNames.map((name) => `  ${name.padEnd(widest)}  ${commands[name].summary}`),
    "",
    "Options for run:",
    ...groupsOf("run").flatMap(([subject, options]) => named(subject, options.map(optionWord).join(" "))),
    "",
    "Examples:",
    "  fastapi-loadtest run --base-ref main --max-minutes 5  Is this branch slower?",
    "  fastapi-loadtest run --base-ref none --workers 1,2,4  How many workers?",
    "",
    "Exit status: 0 success; 1 a regression, or a threshold that was not met;",
    "2 invalid input; 3 the app, its database or k6 failed, or the result of",
    "`again` or `bisect` is not certain; 4 an internal error",
  ];
}

const titleWidth = 15;

function named(title: string, text: string): string[] {
  const indent = " ".repeat(titleWidth + 2);
  return wrap(`  ${title.padEnd(titleWidth)}${text}`, width, indent);
}

function groupsOf(verb: InputVerb, without: readonly string[] = []) {
  const options = inputsOf(verb).filter((input) => isOption(input) && !without.includes(input.name));
  return [...groupBy(options, ({ subject }) => subject)];
}

function helpOf(name: Command, command: CommandHelp): string[] {
  const { summary, details, words, inputsOf: verb, options = [] } = command;
  const { defaults = {}, descriptions = {}, without } = command;
  const first = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
  return [
    ["Usage: fastapi-loadtest", name, words, "[OPTION...]"].filter((each) => each !== undefined).join(" "),
    "",
    ...wrap(details === undefined ? first : `${first} ${details}`, width),
    ...(options.length === 0 ? [] : ["", ...options.flatMap(described)]),
    ...(verb === undefined
      ? []
      : groupsOf(verb, without).flatMap(([subject, own]) => [
          "",
          `${subject}:`,
          ...own.flatMap((input) =>
            described({
              ...input,
              fallback: defaults[input.name] ?? input.fallback,
              description: descriptions[input.name] ?? input.description,
            }),
          ),
        ])),
  ];
}

function described(option: DescribedOption): string[] {
  const { name, isFlag, isSwitch, fallback = "", description } = option;
  const value = isFlag || isSwitch ? "" : " VALUE";
  const forms = [`--${name}${value}`, ...(isFlag ? [`--no-${name}`] : [])].join(", ");
  const words = isFlag
    ? description.replace(/^`true`: ./, (start) => start.slice(-1).toUpperCase())
    : description;
  const text = `      ${words.replaceAll("`", "")}${fallback === "" ? "" : ` [${fallback}]`}`;
  return [`  ${forms}`, ...wrap(text, width, "      ")];
}
