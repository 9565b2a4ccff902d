import { inputsOf, isOption, type Option, optionWord } from "../config/command-line.ts";
import type { InputVerb } from "../config/inputs/row.ts";
import { initUsage } from "../init/options.ts";
import { groupBy } from "../lists/group.ts";
import { wrap } from "../text/width.ts";

interface CommandHelp {
  readonly summary: string;
  readonly details?: string;
  readonly words?: string;
  /** The verb whose inputs are its options; absent: it takes none. */
  readonly inputsOf?: InputVerb;
  readonly options?: readonly DescribedOption[];
}

interface DescribedOption extends Option {
  readonly description: string;
}

const jsonOption = {
  name: "json",
  description: "Print the same JSON as `explain` to standard output, and everything else to standard error.",
  isSwitch: true,
} as const;

const commands = {
  init: {
    summary: "write a configuration for each app, and a workflow",
    details: "This starts each app to find its endpoints, and shows every file that it writes.",
    options: initUsage.options,
  },
  check: {
    summary: "request each endpoint once, and show which keys are missing",
    details:
      "This starts the app as `run` does, but measures nothing. The exit status is 2 if anything is missing.",
    inputsOf: "check",
    options: [
      { name: "watch", description: "Check again whenever the configuration file changes.", isSwitch: true },
      { name: "json", description: "Print JSON only.", isSwitch: true },
    ],
  },
  run: {
    summary: "measure on this machine, compare with the base, and report",
    inputsOf: "run",
    options: [jsonOption],
  },
  explain: {
    summary: "print verdicts, causes and advice as JSON",
    details:
      "It reads the results from `loadtest-results` or another folder, and prints at most 8 kB unless `--all` is set.",
    words: "[RESULTS]",
    options: [
      { name: "all", description: "Print everything, however long.", isSwitch: true },
      { name: "markdown", description: "Print the comment as markdown.", isSwitch: true },
    ],
  },
  again: {
    summary: "measure one cell again to see whether the slowdown is gone",
    details:
      "A cell is one endpoint at one worker count. The report has this command for each slower cell. It takes about a minute, unless `--max-minutes` is set. The exit status is 0 only if the slowdown is gone.",
    words: "CELL",
    inputsOf: "run",
    options: [
      {
        name: "reported-slowdown",
        description:
          "The slowdown that the report was certain of. It counts as gone if the largest that could remain would pass the check, or is at most a quarter of this value.",
      },
      jsonOption,
    ],
  },
  bisect: {
    summary: "find the commit at which an endpoint got slower or faster",
    details:
      "It measures the commits that `git bisect` chooses, in its own checkout, with the current settings, for four minutes per comparison unless `--max-minutes` is set. Commits whose app does not start are skipped. To continue a search that ended early, run it again. It exits with 0 when the commit is found or the ends do not differ, and with 3 when the result is not certain.",
    inputsOf: "run",
    options: [
      { name: "good", description: "A commit before the change: a branch, tag or hash." },
      { name: "bad", description: "A commit with the change." },
      {
        name: "endpoint",
        description: "The endpoint, written as in `endpoints`. By default, the one that changed most.",
      },
    ],
  },
  plan: {
    summary: "list the cells, and how long it will take to measure them",
    details: "A cell is one endpoint at one worker count. No server is started.",
    inputsOf: "plan",
  },
  measure: {
    summary: "measure the cells, and write each one's results to a file",
    inputsOf: "measure",
  },
  report: {
    summary: "write the report from the results folder, and post the comment",
    inputsOf: "report",
  },
  announce: {
    summary: "announce the run on the pull request",
    details: "Workflows do this before any code from the pull request runs.",
    inputsOf: "announce",
    options: [
      { name: "withdraw", description: "Withdraw the announcement of a cancelled run.", isSwitch: true },
    ],
  },
  post: {
    summary: "post another run's report as a comment",
    details: "Use it in workflows triggered by `workflow_run`.",
    inputsOf: "post",
  },
  trends: {
    summary: "write a page that shows the recorded history and its change points",
    inputsOf: "trends",
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
    "fastapi-loadtest: load-test a FastAPI app, and compare it with its base",
    "Usage: fastapi-loadtest COMMAND [OPTION...]",
    "",
    "Commands (`help COMMAND` describes a command and its options):",
    ...commandNames.map((name) => `  ${name.padEnd(widest)}  ${commands[name].summary}`),
    "",
    "Options for run:",
    ...groupsOf("run").flatMap(([subject, options]) => named(subject, options.map(optionWord).join(" "))),
    "",
    "Examples:",
    "  fastapi-loadtest run --base-ref main --max-minutes 5  Is this branch slower?",
    "  fastapi-loadtest run --base-ref none --workers 1,2,4  How many workers?",
    "",
    "Exit status: 0 success, 1 a regression or a threshold not met, 2 invalid input,",
    "3 the app, its database or k6 failed, or `again` or `bisect` is inconclusive,",
    "4 an internal error",
  ];
}

const titleWidth = 15;

function named(title: string, text: string): string[] {
  const indent = " ".repeat(titleWidth + 2);
  return wrap(`  ${title.padEnd(titleWidth)}${text}`, width, indent);
}

function groupsOf(verb: InputVerb) {
  return [...groupBy(inputsOf(verb).filter(isOption), ({ subject }) => subject)];
}

function helpOf(
  name: Command,
  { summary, details, words, inputsOf: verb, options = [] }: CommandHelp,
): string[] {
  const first = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
  return [
    ["Usage: fastapi-loadtest", name, words, "[OPTION...]"].filter((each) => each !== undefined).join(" "),
    "",
    ...wrap(details === undefined ? first : `${first} ${details}`, width),
    ...(options.length === 0 ? [] : ["", ...options.flatMap(described)]),
    ...(verb === undefined
      ? []
      : groupsOf(verb).flatMap(([subject, own]) => ["", `${subject}:`, ...own.flatMap(described)])),
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
