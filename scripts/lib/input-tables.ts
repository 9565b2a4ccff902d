import { isKey } from "../../src/config/file/keys.ts";
import { inputs } from "../../src/config/inputs.ts";
import { servers } from "../../src/model/workload/servers.ts";
import { type Declared, declaredByAction, declaredByWorkflow } from "./declared-inputs.ts";
import { withPart } from "./marked-regions.ts";
import { minutesTable } from "./minutes-table.ts";

const ofAction = declaredByAction.map(({ name }) => name);
const ofWorkflow = declaredByWorkflow.map(({ name }) => name);
const differences = `except ${list(ofAction.filter((name) => !ofWorkflow.includes(name)))}. It adds ${list(ofWorkflow.filter((name) => !ofAction.includes(name)))}`;

/** An output of an action, as action.yml declares it. */
export type Outputs = Readonly<Record<string, { readonly description: string }>>;

/** The README with its table of minutes. */
export function withReadmeTables(page: string): string {
  return withParts(page, { minutes: minutesTable() });
}

/** docs/configuration.md with its tables of inputs. Those that are keys have their entry among the keys alone. */
export function withInputTables(page: string, outputs: Outputs): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => [code(name), description]);
  const parts: Readonly<Record<string, string>> = {
    "action keys": `The keys ${list(ofAction.filter(isKey))} are inputs, too.`,
    action: tableOf(declaredByAction.filter(({ name }) => !isKey(name))),
    "not of the workflow": `The reusable workflow takes the same inputs ${differences}:`,
    workflow: tableOf(declaredByWorkflow.filter(({ name }) => !ofAction.includes(name))),
    settings: table(
      ["key", "default", "description"],
      inputs
        .filter(({ isOfCaller }) => isOfCaller)
        .map(({ name, fallback, description, details }) => [
          code(name),
          fallback && code(fallback),
          whole(description, details),
        ]),
    ),
    outputs: table(["output", "description"], rows),
  };
  return withParts(page, parts);
}

const yesOrNo = (is: boolean) => (is ? "yes" : "no");

/** docs/servers.md with the servers that have a name. */
export function withServerTable(page: string): string {
  const rows = servers.flatMap(({ name, command, needs, factory }) => {
    if (command === undefined) return [];
    const made = factory?.option === undefined ? yesOrNo(factory !== undefined) : code(factory.option);
    return [[code(name), code(command), list(needs), made]];
  });
  return withPart(page, "servers", table(["name", "command", "needs", "app factory"], rows));
}

function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((each, [name, text]) => withPart(each, name, text), page);
}

function whole(description: string, details: string | undefined): string {
  return details === undefined ? description : `${description} ${details}`;
}

function tableOf(declared: readonly Declared[]): string {
  const rows = declared.map((each) => {
    // The description ends with a default that the program fills in.
    const [, rest, named] = /^(.*) Default: `(.*)`\.$/s.exec(each.description) ?? [];
    const usual = named ?? each.default;
    return [code(each.name), usual && code(usual), whole(rest ?? each.description, each.details)];
  });
  return table(["input", "default", "description"], rows);
}

function list(names: readonly string[]): string {
  const [last = "", ...others] = names.map(code).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `|${row.map(cell).join("|")}|`).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").trim();
}

function code(text: string): string {
  return `\`${text}\``;
}
