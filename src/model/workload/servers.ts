/** What `init` knows of an app when it chooses how to start it. */
interface ServedApp {
  readonly isWsgi: boolean;
  readonly workerClass?: string | undefined;
  has(distribution: string): boolean;
}

/** How a server chooses one of its parts: by an option, otherwise by what is installed. */
export interface ServerPart {
  readonly option: string;
  readonly preferred: string;
  readonly otherwise: string;
}

/** A server for ASGI or WSGI: everything that we know of it by its name. */
export interface KnownServer {
  /** The value of the input `server`, and the program. */
  readonly name: string;
  /** The command that the name stands for; absent: the server is known among requirements only. */
  readonly command?: string;
  /** Follows the name in descriptions. */
  readonly note?: string;
  /** What starts it in a container file; absent: its name. */
  readonly startedBy?: string;
  /** Distributions, its own first. */
  readonly needs: readonly [string, ...string[]];
  /** Set when it only starts the usual server, and is none itself. */
  readonly isLauncher?: true;
  /** What an app that a function makes takes: an option, or nothing more; absent: it cannot serve one. */
  readonly factory?: { readonly option?: string };
  /** Variables by which it is configured: an app's example of them would take the server away. */
  readonly variables?: RegExp;
  /** The variable that sets its number of workers, unless the command does. */
  readonly countVariable?: string;
  readonly eventLoop?: ServerPart;
  readonly httpParser?: ServerPart;
  /** The command for an app that `command` cannot serve. */
  readonly commandFor?: (app: ServedApp) => string | undefined;
  /** The file with its settings, where it has kinds of workers (`-k`). */
  readonly settingsFile?: string;
  /** A setting under which workers end after some requests, and the option that switches it off. */
  readonly endsWorkers?: { readonly file: string; readonly setting: RegExp; readonly off: string };
  /** Its configuration file: its usual name, our program that reads it, and its settings that this overrules. */
  readonly settings?: {
    readonly file: string;
    readonly program: string;
    /** May name another file. */
    readonly variable: string;
    readonly overruled: readonly string[];
  };
  /** What a version says that is too old for `command`, and what is wrong with it. */
  readonly tooOld?: { readonly output: RegExp; readonly problem: string };
}

const countVariable = "WEB_CONCURRENCY";

export const usualServer = {
  name: "uvicorn",
  command: "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log",
  needs: ["uvicorn"],
  factory: { option: "--factory" },
  variables: /^UVICORN_/,
  countVariable,
  eventLoop: { option: "--loop", preferred: "uvloop", otherwise: "asyncio" },
  httpParser: { option: "--http", preferred: "httptools", otherwise: "h11" },
} as const satisfies KnownServer;

const uvicornWorker = "uvicorn_worker.UvicornWorker";

/** A new server is one row here. Diagnosis sees the app behind any of them. */
export const servers: readonly KnownServer[] = [
  usualServer,
  {
    name: "gunicorn",
    command: `gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class ${uvicornWorker}`,
    note: "with uvicorn's workers",
    needs: ["gunicorn", "uvicorn-worker"],
    factory: {},
    variables: /^GUNICORN_CMD_ARGS$/,
    countVariable,
    commandFor: ({ isWsgi, has, workerClass }) => {
      const plain = "gunicorn {app} --bind {host}:{port} --workers {workers}";
      if (workerClass === uvicornWorker && has("uvicorn-worker")) return undefined;
      if (workerClass !== undefined) return `${plain} --worker-class ${workerClass}`;
      if (isWsgi) return plain;
      if (has("uvicorn-worker")) return undefined;
      return `${plain} --worker-class ${has(usualServer.needs[0]) ? "uvicorn.workers.UvicornWorker" : "asgi"}`;
    },
    tooOld: {
      output: /Entry point \('gunicorn\.workers', 'asgi'\) not found/,
      problem: "the app's gunicorn is too old to have an ASGI worker",
    },
    settingsFile: "gunicorn.conf.py",
    settings: {
      file: "./gunicorn.conf.py",
      program: "gunicorn_settings",
      variable: "GUNICORN_CMD_ARGS",
      overruled: [
        ...["daemon", "pidfile", "reload", "check_config", "print_config", "errorlog", "accesslog"],
        ...["capture_output", "logconfig", "logconfig_dict", "logconfig_json", "syslog", "max_requests"],
        ...["max_requests_jitter", "certfile", "keyfile", "user", "group"],
      ],
    },
    endsWorkers: {
      file: "gunicorn.conf.py",
      setting: /^[ \t]*(max_requests)[ \t]*=[ \t]*[1-9"'i]/m,
      off: "--max-requests 0",
    },
  },
  {
    name: "hypercorn",
    command: "hypercorn {app} --bind {host}:{port} --workers {workers}",
    needs: ["hypercorn"],
    factory: {},
    settingsFile: "hypercorn.toml",
    commandFor: ({ workerClass }) =>
      workerClass && `hypercorn {app} --bind {host}:{port} --workers {workers} --worker-class ${workerClass}`,
  },
  {
    name: "granian",
    command: "granian {app} --interface asgi --host {host} --port {port} --workers {workers}",
    needs: ["granian"],
    factory: { option: "--factory" },
    variables: /^GRANIAN_/,
  },
  {
    name: "fastapi",
    command: "fastapi run --entrypoint {app} --host {host} --port {port} --workers {workers}",
    note: "`fastapi run`",
    startedBy: "fastapi run",
    needs: ["fastapi-cli"],
    isLauncher: true,
    countVariable,
    tooOld: {
      output: /No such option: --entrypoint|No such command 'run'/,
      problem: "the app's fastapi-cli is too old to take the app as an argument",
    },
  },
  { name: "daphne", needs: ["daphne"] },
];
