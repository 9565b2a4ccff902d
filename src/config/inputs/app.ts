import * as z from "zod";
import { appNameSchema } from "../../model/plan/cell.ts";
import { checkServerTemplate, serverTemplateOf } from "../../model/workload/server-command.ts";
import { servers, usualServer } from "../../model/workload/servers.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import { type InputRow, measuring, reporting } from "./row.ts";

export const configurationInputs = {
  config: {
    description:
      "Configuration file. Default: `.github/loadtest.yml`, if it exists. `none`: no file. Several files, one per line, put several apps into one report.",
    details: "Inputs override the file.",
    isList: true,
    reader: z.string().optional(),
    door: "both",
  },
  settings: {
    description:
      "Additional configuration keys, as YAML, e.g. `install: requirements.txt`. They override the configuration file, and other inputs override them.",
    reader: z.string().optional(),
    isSecret: true,
    verbs: [...reporting, "trends"],
    door: "both",
  },
} as const satisfies Readonly<Record<string, InputRow>>;

const serverTemplate = z
  .string()
  .transform(serverTemplateOf)
  .superRefine((template, context) => {
    for (const message of checkServerTemplate(template)) context.addIssue({ code: "custom", message });
  });

const serverNames = servers
  .filter(({ command }) => command !== undefined)
  .map(({ name, note }) => `\`${name}\`${note === undefined ? "" : ` (${note})`}`)
  .join(", ");

export const appInputs = {
  name: {
    description: "The app's name. An app with a name has its own section in the report.",
    reader: appNameSchema.optional(),
    form: { schema: kinds.text("shop"), example: "name: shop" },
    door: "both",
  },
  app: {
    description:
      "The app's import string, e.g. `app.main:app`. Default: the app found in `working-directory`, if there is only one.",
    reader: values.importString.optional(),
    form: { schema: kinds.text("app.main:app"), example: "app: app.main:app" },
    door: "both",
  },
  "working-directory": {
    description: "The app's folder. Its server runs there, and its requirements are read from there.",
    fallback: ".",
    reader: z.string(),
    form: { schema: kinds.text("services/shop"), example: "working-directory: services/shop" },
    door: "both",
  },
  "app-env": {
    description:
      "Environment variables for the app, one `NAME=value` per line. Apart from these, it gets only the job's standard variables, such as `PATH`. `HOME` and `TMPDIR` are empty folders.",
    details: "If the app loads models from `~/.cache`, set `HF_HOME` here.",
    reader: values.variables.optional(),
    form: { schema: kinds.variables, example: "app-env:\n  LOG_LEVEL: warning\n  WITH_CACHE: false" },
    isSecret: true,
  },
  "env-file": {
    description:
      "A file or folder that the app cannot start without, e.g. `.env` or `static/`, as a path inside `working-directory`. If it is missing, an empty one is created.",
    details: "Each version then runs in its own copy of the repository. To set variables, use `app-env`.",
    reader: values.environmentFile.optional(),
    noOption:
      "Node would take it for its own and read that file into this program. Write --settings 'env-file: PATH', or set it in the configuration file",
    form: { schema: kinds.text(".env"), example: "env-file: src/.env" },
  },
  python: {
    description:
      "Python interpreter for the app: a program's name or path. `auto`: one that satisfies the repository's `.python-version` or `requires-python`.",
    fallback: "auto",
    reader: z.string(),
    form: { schema: kinds.text("python3.12"), example: "python: python3.12" },
    verbs: [...measuring, "trends"],
  },
  install: {
    description:
      "How to install the app. `auto`: from its lock file, requirements.txt or pyproject.toml. `none`: use `python` as is. Or the path of a requirements file or a virtual environment.",
    details: "[installing.md](installing.md) explains `auto`.",
    fallback: "auto",
    reader: z.string(),
    form: {
      schema: kinds.text("requirements/production.txt"),
      example: "install: requirements/production.txt",
    },
  },
  "extra-packages": {
    description:
      "Packages that the app imports but does not require, one per line, e.g. `email-validator` or `bcrypt<5`.",
    reader: values.packages.optional(),
    form: {
      schema: kinds.lines("[email-validator]"),
      example: "extra-packages: [email-validator, bcrypt<5]",
    },
  },
  "exclude-newer": {
    description:
      "Do not install packages released after this date, e.g. `2024-01-26`, unless the requirements pin them. Needs uv, or pip 26 in `install-command`.",
    details: "With a lock file, it has no effect.",
    reader: values.day.optional(),
    form: { schema: kinds.day, example: "exclude-newer: 2024-01-26" },
  },
  "install-command": {
    description:
      "Replaces `install`: commands, one per line, that install the app's requirements in a new virtual environment. They run without a shell.",
    details:
      "Their current directory is `working-directory`. `VIRTUAL_ENV` holds the path of the environment, which contains pip and comes first on `PATH`.",
    reader: values.commands.optional(),
    form: {
      schema: kinds.lines("[pip install .]"),
      example:
        "install-command:\n  - pip install --requirement requirements/base.txt\n  - pip install --no-deps .",
    },
  },
  server: {
    description:
      "The app's server: a name, e.g. `uvicorn`, or a command with the placeholders `{app}`, `{host}`, `{port}` and `{workers}`. Commands run without a shell.",
    details: `Names: ${serverNames}.`,
    fallback: usualServer.name,
    reader: serverTemplate,
    form: {
      schema: kinds.text(`${usualServer.name} {app} --port {port}`),
      example: `server: ${usualServer.command} --limit-concurrency 100`,
    },
  },
  port: {
    description: "Port that the app listens on. `0`: any free port, chosen at each start.",
    fallback: "0",
    reader: values.wholeNumber(0, 65_535),
    form: { schema: kinds.number("8000"), example: "port: 8000" },
  },
  "ready-path": {
    description:
      "Path that is requested repeatedly until the app answers. Any status below 500 counts as ready.",
    fallback: "/",
    reader: z.string().startsWith("/", "must start with /"),
    form: { schema: kinds.text("/health"), example: "ready-path: /health" },
  },
  "ready-timeout": {
    description: "Maximum time until the app answers, e.g. `30s`.",
    fallback: "30s",
    reader: values.duration(0.1, 3_600),
    form: { schema: kinds.duration("30s"), example: "ready-timeout: 1m" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
