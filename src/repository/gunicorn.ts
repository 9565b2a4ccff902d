/** Settings of `gunicorn.conf.py` that `probe/tools/gunicorn_settings.py` overrules. */
const overruledSettings = [
  ...["daemon", "pidfile", "reload", "check_config", "print_config", "errorlog", "accesslog"],
  ...["capture_output", "logconfig", "logconfig_dict", "logconfig_json", "syslog", "max_requests"],
  ...["max_requests_jitter", "certfile", "keyfile"],
] as const;

/** Settings for which our command line has an option. */
const decidedSettings = { bind: /^(?:-b|--bind)/, workers: /^(?:-w|--workers)/ } as const;

/** The configuration file that gunicorn reads without being given one. */
export const usualConfiguration = "./gunicorn.conf.py";

export interface GunicornCommand {
  readonly argv: readonly [string, ...string[]];
  /** The app's own configuration as gunicorn would be given it: a path, or `python:module`. */
  readonly configuration: string;
}

/**
 * A command of gunicorn that reads our configuration, which reads the app's own; `undefined` for other servers.
 *
 * @param further the variable GUNICORN_CMD_ARGS
 */
export function withConfiguration(
  [program, ...words]: readonly [string, ...string[]],
  ours: string,
  further = "",
): GunicornCommand | undefined {
  const isGunicorn = (word: string | undefined) => word !== undefined && /^(?:.*\/)?gunicorn$/.test(word);
  const at = isGunicorn(program) ? 0 : words.findIndex(isGunicorn) + 1;
  if (at === 0 && !isGunicorn(program)) return undefined;
  const [before, after] = [words.slice(0, at), words.slice(at)];
  const { rest, configuration } = withoutConfiguration(after);
  const own = configuration ?? withoutConfiguration(further.split(/\s+/)).configuration;
  return { argv: [program, ...before, "--config", ours, ...rest], configuration: own ?? usualConfiguration };
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
export function overruledIn(text: string, argv: readonly string[]): readonly string[] {
  const decided = Object.entries(decidedSettings)
    .filter(([, option]) => argv.some((word) => option.test(word)))
    .map(([name]) => name);
  const wanted = new Set<string>([...overruledSettings, ...decided]);
  const set = [...text.matchAll(/^[ \t]*(\w+)[ \t]*=(?!=)[ \t]*([^#\n]*)/gm)];
  const names = set.flatMap(([, name = "", value = ""]) =>
    wanted.has(name) && !harmless.has(value.trim()) ? [name] : [],
  );
  return [...new Set(names)];
}
