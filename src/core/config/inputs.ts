/** One input of the action and one option of the command line: the same name, meaning and default. */
export interface Input {
  readonly name: string;
  readonly description: string;
  /** As text, the way it would be typed. Empty: not set. */
  readonly fallback: string;
  /** A shorter name on the command line; the action knows only the full one. */
  readonly alias?: string;
}

/** Every input there is. `action.yml`, `loadtest.yml`, the README's table and `--help` are compared with this list. */
export const inputs: readonly Input[] = [
  {
    name: "app",
    description: "Import string of the app, e.g. `app.main:app`. Needed by every command but `report`.",
    fallback: "",
  },
  {
    name: "app-folder",
    description: "Folder of the app: working directory of its server, and where its requirements are found.",
    fallback: ".",
  },
  {
    name: "app-env",
    description:
      "Variables for the app, one `NAME=value` a line. Nothing else of the job's environment reaches it.",
    fallback: "",
  },
  {
    name: "python",
    description: "Python that the app's environment is built with: a program's name or path.",
    fallback: "python3",
  },
  {
    name: "install",
    description:
      "How the app's environment is made: `auto` (uv.lock, requirements.txt or pyproject.toml, in a virtual environment of its own), `none` (the Python above as it is), or the folder of a virtual environment that you made.",
    fallback: "auto",
  },
  {
    name: "server",
    description:
      "Command that serves the app. `{app}`, `{host}`, `{port}` and `{workers}` are filled in; no shell is involved.",
    fallback: "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log",
  },
  {
    name: "port",
    description: "Port for the app. `0` takes a free one for each start.",
    fallback: "0",
  },
  {
    name: "ready-path",
    description: "Path that is polled until the app answers; any status below 500 will do.",
    fallback: "/",
  },
  {
    name: "ready-timeout",
    description: "How long the app may take to answer, e.g. `30s`.",
    fallback: "30s",
  },
  {
    name: "workers",
    description: "Worker counts to measure, comma-separated, e.g. `1,2,4`.",
    fallback: "1,2",
  },
  {
    name: "endpoints",
    description:
      "What to request, one a line: a path with its query, with a method before it unless it is GET.",
    fallback: "/",
  },
  {
    name: "vus",
    description:
      "Virtual users: how many requests are under way at once (closed model), or may be (open model).",
    fallback: "8",
  },
  {
    name: "duration",
    description:
      "How long each cell is under load when the head is measured alone, e.g. `10s` or `1m30s`; with a base the time is shared out within `max-minutes`.",
    fallback: "10s",
  },
  {
    name: "stages",
    description:
      "Instead of `vus` and `duration`: k6 stages, e.g. `1s:50,30s:50,5s:0` (time to reach that many VUs).",
    fallback: "",
  },
  {
    name: "requests",
    description: "Instead of `duration`: this many requests, `vus` at a time.",
    fallback: "",
  },
  {
    name: "rate",
    description: "Open model: this many requests a second arrive, whether or not earlier ones were answered.",
    fallback: "",
  },
  {
    name: "warmup",
    description: "How long the servers are under load before anything counts; with a base both share it.",
    fallback: "500ms",
  },
  {
    name: "base-ref",
    alias: "base",
    description:
      "What the head is compared with. `auto`: the base of the pull request, when the run is for one. `none`: nothing, the head is measured alone. Else a branch, tag or commit of the repository that the app's folder is in.",
    fallback: "auto",
  },
  {
    name: "control",
    description:
      "`true`: compare the head with itself (A/A), to see the noise of the machine. Takes the place of `base-ref`.",
    fallback: "false",
  },
  {
    name: "smallest-effect",
    description:
      "Smallest change of throughput that matters, e.g. `3%`: a smaller one is called unchanged, or small. Above 0%, up to 50%.",
    fallback: "3%",
  },
  {
    name: "false-alarm-rate",
    description:
      "Chance that a report of two equally fast versions calls any cell slower or faster. Above 0%, up to 20%.",
    fallback: "1%",
  },
  {
    name: "max-minutes",
    description:
      "Most minutes that measuring with a base may take, shared out over the cells by need. Each job of a job matrix has a machine and all of these minutes to itself.",
    fallback: "15",
  },
  {
    name: "separate-cpus",
    description:
      "`true`: the app's servers get CPUs of their own, apart from k6 and Postgres, where there are two or more.",
    fallback: "true",
  },
  {
    name: "database",
    description:
      "`postgres`: the app gets a fresh, seeded database for each cell. `none`: the app needs no database of ours.",
    fallback: "postgres",
  },
  {
    name: "database-url",
    description:
      "A Postgres server to use, e.g. `postgresql://user:password@127.0.0.1:5432/postgres`; the user must be allowed to create databases. Empty: a private one is started.",
    fallback: "",
  },
  {
    name: "database-variable",
    description: "Variable in which the app finds the URL of its database.",
    fallback: "DATABASE_URL",
  },
  {
    name: "seed",
    description: "SQL files that make and fill the tables, one a line, run in this order.",
    fallback: "",
  },
  {
    name: "scale",
    description: "Size of the data, given to the SQL files as the setting `loadtest.scale`.",
    fallback: "0.01",
  },
  {
    name: "results-folder",
    description: "Where results are written and read.",
    fallback: "loadtest-results",
  },
  {
    name: "report-id",
    description: "Name of this report; each name has a comment of its own on a pull request.",
    fallback: "default",
  },
  {
    name: "comment",
    description:
      "`true`: comment on the pull request when there is one. `false`: only the job summary and files.",
    fallback: "true",
  },
  {
    name: "fail-on",
    description:
      "When the check fails. `slower`: a cell is slower by at least `smallest-effect`. `threshold`: by at least `fail-threshold`. `never`: no difference fails it.",
    fallback: "threshold",
  },
  {
    name: "fail-threshold",
    description: "How much slower a cell has to be for `fail-on: threshold`. Above 0%, up to 100%.",
    fallback: "5%",
  },
  {
    name: "plan",
    description:
      "For `measure` and `report`: the plan as `plan` printed it, so that each job knows how many cells the whole report has, and cells without a result are shown.",
    fallback: "",
  },
];
