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
    name: "config",
    description:
      "The repository's configuration file. Empty: `.github/loadtest.yml`, where there is one. `none`: no file. What inputs say goes before what the file says. Several, one a line: one report of several apps, each with a file of its own.",
    fallback: "",
  },
  {
    name: "name",
    description:
      "Name of the app, which gives it a section of its own in the report. Empty: none; of several apps the folder is each one's name.",
    fallback: "",
  },
  {
    name: "app",
    description:
      "Import string of the app, e.g. `app.main:app`. Empty: the only app that is found in `app-folder`.",
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
    description:
      "Python that the app's environment is built with: a program's name or path. `auto`: one that fits the repository's `.python-version` or `requires-python`.",
    fallback: "auto",
  },
  {
    name: "install",
    description:
      "How the app's environment is made: `auto` (uv.lock, poetry.lock, pdm.lock, requirements.txt or pyproject.toml, in a virtual environment of its own), `none` (the Python above as it is), a requirements file, or the folder of a virtual environment that you made.",
    fallback: "auto",
  },
  {
    name: "install-command",
    description:
      "Instead of `install`: commands, one a line, that install what the app needs. They run in `app-folder`, in a new virtual environment with pip: `VIRTUAL_ENV` names it, its programs come first, and no shell is involved.",
    fallback: "",
  },
  {
    name: "server",
    description:
      "What serves the app: `uvicorn`, `gunicorn` (with uvicorn's workers), `hypercorn`, `granian`, `fastapi` (`fastapi run`), or a command. In it `{app}`, `{host}`, `{port}` and `{workers}` are filled in; no shell is involved.",
    fallback: "uvicorn",
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
      "What to request, one a line: a path with its query, with a method before it unless it is GET. `auto`: every GET of the app's own OpenAPI document; `auto POST /orders`: one of its endpoints, filled in from there.",
    fallback: "/",
  },
  {
    name: "iteration",
    description:
      "Instead of `endpoints`: what each user does again and again, one step a line, in order: a request as in `endpoints`, or a pause, e.g. `sleep 100ms`.",
    fallback: "",
  },
  {
    name: "script",
    description:
      "Instead of `endpoints`: a k6 script of yours, run as it is. It finds the app's address in the variable `BASE_URL` and says itself how much load it makes; its checks, groups, metrics and thresholds are in the report. It is not compared with a base.",
    fallback: "",
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
    name: "connections",
    description:
      "`reuse`: each user keeps its connection, as browsers do. `new`: a TCP connection for each request, as `ab` without `-k` makes them.",
    fallback: "reuse",
  },
  {
    name: "request-timeout",
    description: "How long a request may take before it counts as failed, e.g. `10s`.",
    fallback: "60s",
  },
  {
    name: "graceful-stop",
    description:
      "How long requests that are under way at the end may still take; after that they count as `cut off`. `0s`: they are dropped and not counted, as by Locust.",
    fallback: "30s",
  },
  {
    name: "solo-first",
    description:
      "`true`, with `requests`: the first request is sent alone and the others wait for its reply, as with `ab`.",
    fallback: "false",
  },
  {
    name: "warmup",
    description: "How long the servers are under load before anything counts; with a base both share it.",
    fallback: "200ms",
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
      "Smallest change of throughput that matters, e.g. `3%`: a smaller one is called unchanged, or small. Above 0%, up to 50%; with any other the head is measured alone, and the report says why.",
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
      "Most minutes that measuring with a base may take, shared out over the cells by need. Each job of a job matrix has a machine and all of these minutes to itself. Where they are too few for two replicates of each cell, the head is measured alone, and the report says why.",
    fallback: "15",
  },
  {
    name: "separate-cpus",
    description:
      "`true`: the app's servers get CPUs of their own, apart from k6 and Postgres, where there are two or more.",
    fallback: "true",
  },
  {
    name: "diagnose",
    description:
      "When the app is looked into for causes, after everything is measured, for about 10 s in each cell and arm. `on-change`: in cells that are not `unchanged`, and in those without a base. `always`: in all. `never`: in none.",
    fallback: "on-change",
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
    name: "database-url-style",
    description:
      "How that URL begins, as the app's driver wants it: `postgresql`, `postgres`, `postgresql+asyncpg`, `postgresql+psycopg`, `postgresql+psycopg2`, `postgresql+psycopg_async` or `postgresql+pg8000`.",
    fallback: "postgresql",
  },
  {
    name: "database-env",
    description:
      "More variables by which the app finds its database, one `NAME=template` a line, e.g. `PGHOST={host}`; also `{port}`, `{user}`, `{password}`, `{database}` and `{url}`.",
    fallback: "",
  },
  {
    name: "migrate-command",
    description:
      "Commands that make the tables, one a line, e.g. `alembic upgrade head`. They run before the SQL files, for each arm in its own `app-folder` and environment, with the app's variables; no shell is involved.",
    fallback: "",
  },
  {
    name: "seed",
    description: "SQL files that make and fill the tables, one a line, run in this order.",
    fallback: "",
  },
  {
    name: "seed-command",
    description:
      "Commands that fill the tables, one a line, e.g. `python -m app.seed`. They run after the SQL files, like `migrate-command`; the variable `LOADTEST_SCALE` holds `scale`.",
    fallback: "",
  },
  {
    name: "scale",
    description: "Size of the data, given to the SQL files as the setting `loadtest.scale`.",
    fallback: "0.01",
  },
  {
    name: "base-url",
    description:
      "Instead of `app`: the address of an app that already runs, e.g. `https://staging.example.com`. Nothing is installed, started or seeded. Needs `allow-target`.",
    fallback: "",
  },
  {
    name: "head-url",
    description: "Address of another app that already runs, which is compared with that of `base-url`.",
    fallback: "",
  },
  {
    name: "allow-target",
    description:
      "The hosts of `base-url` and `head-url` once more, e.g. `staging.example.com`: load is sent only to a host that is named twice.",
    fallback: "",
  },
  {
    name: "target-cap",
    description:
      "`false`: an app that already runs may get more than 10 VUs, 50 req/s, 1000 requests, 60 s for each cell, and 2 minutes for a comparison.",
    fallback: "true",
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
    name: "comment-mode",
    description:
      "Which reports get a comment. `always`: all. `on-change`: those that say more than unchanged. `on-failure`: those that fail the check. `never`: none. But for `never`, a comment that is there already is kept up to date.",
    fallback: "always",
  },
  {
    name: "check-run",
    description:
      "Name of a check run that says what came of the report, for branch protection, e.g. `Load test`. Empty: none. It fails as the job does, is neutral when something is slower or inconclusive without failing, or nothing could be compared, and needs `checks: write`.",
    fallback: "",
  },
  {
    name: "history-branch",
    description:
      "Branch that keeps a line of figures of each cell and commit, and a badge, e.g. `loadtest-history`. Empty: none. It is made when it is not there, written on `push`, `schedule` and `workflow_dispatch` of the default branch only, and needs `contents: write`.",
    fallback: "",
  },
  {
    name: "history",
    description:
      "For `trends`: where the kept history is, as a folder (e.g. of a checkout of that branch) or as a ref of the repository, e.g. `origin/loadtest-history`.",
    fallback: "",
  },
  {
    name: "fail-on",
    description:
      "When the check fails. `slower`: a cell is slower by at least `smallest-effect`. `threshold`: by at least `fail-threshold`. `invalid`: that, or its comparison is `invalid`. `never`: nothing that was measured fails it. But for `never`, an `invalid` one fails it, too, where what was seen is that much slower. Broken `thresholds` fail it, too, but with `never`.",
    fallback: "threshold",
  },
  {
    name: "fail-threshold",
    description:
      "How much slower a cell has to be for `fail-on: threshold` and `invalid`; not below `smallest-effect`. Above 0%, up to 100%.",
    fallback: "5%",
  },
  {
    name: "thresholds",
    description:
      "Bounds in k6's words, one a line: `p(95)<300`, `rate<0.01`, `http_reqs: rate>100`, `slower than base by 5%`. They hold for each endpoint; after `overall:`, for all together; after an endpoint and a colon, for that one. A broken one fails the check.",
    fallback: "",
  },
  {
    name: "plan",
    description:
      "For `measure` and `report`: the plan as `plan` printed it, so that each job knows how many cells the whole report has, and cells without a result are shown.",
    fallback: "",
  },
];
