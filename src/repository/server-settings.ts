import { type KnownServer, servers } from "../model/workload/servers.ts";

/** Settings for which our command line has an option. */
const decidedSettings = { bind: /^(?:-b|--bind)/, workers: /^(?:-w|--workers)/ } as const;

interface SettledCommand {
  /** The command that starts the server with our configuration. */
  argvWith(ours: string): readonly [string, ...string[]];
  /** The app's own configuration as the server would be given it: a path, or `python:module`. */
  readonly configuration: string;
  readonly settings: NonNullable<KnownServer["settings"]>;
}

/** A command whose configuration is code, so that ours can read the app's; `undefined` for others. */
export function settledCommand(
  argv: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>>,
): SettledCommand | undefined {
  const programs = argv.map((word) => word.split("/").at(-1));
  const server = servers.find(({ name, settings }) => settings !== undefined && programs.includes(name));
  const settings = server?.settings;
  if (server === undefined || settings === undefined) return undefined;
  const at = programs.indexOf(server.name);
  const { rest, configuration } = withoutConfiguration(argv.slice(at + 1));
  const further = withoutConfiguration((variables[settings.variable] ?? "").split(/\s+/)).configuration;
  const [program, ...before] = argv;
  return {
    argvWith: (ours) => [program, ...before.slice(0, at), "--config", ours, ...rest],
    configuration: configuration ?? further ?? settings.file,
    settings,
  };
}

/** `-c place`, `-cplace`, `--config place`, `--config=place`; the last one counts. */
function withoutConfiguration(words: readonly string[]) {
  const rest: string[] = [];
  let configuration: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [, joined] = /^(?:-c|--config=)(.+)$/.exec(word) ?? [];
    if (word === "-c" || word === "--config") {
      index += 1;
      configuration = words[index] ?? configuration;
    } else if (joined !== undefined) configuration = joined;
    else rest.push(word);
  }
  return { rest, configuration };
}

const harmless = new Set(["None", "False", "0", "{}", '"-"', "'-'"]);

/** Names of the settings in a configuration file that a measurement overrules; none in one that sets none of them. */
export function overruledIn(
  text: string,
  argv: readonly string[],
  { overruled }: Pick<SettledCommand["settings"], "overruled">,
): readonly string[] {
  const decided = Object.entries(decidedSettings)
    .filter(([, option]) => argv.some((word) => option.test(word)))
    .map(([name]) => name);
  const wanted = new Set([...overruled, ...decided]);
  const set = [...text.matchAll(/^[ \t]*(\w+)[ \t]*=(?!=)[ \t]*([^#\n]*)/gm)];
  const names = set.flatMap(([, name = "", value = ""]) =>
    wanted.has(name) && !harmless.has(value.trim()) ? [name] : [],
  );
  return [...new Set(names)];
}
