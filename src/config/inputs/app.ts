import * as z from "zod";
import { appNameSchema } from "../../model/plan/cell.ts";
import { checkServerTemplate, serverTemplateOf } from "../../model/workload/server-command.ts";
import { servers, usualServer } from "../../model/workload/servers.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import { type InputRow, measuring, reporting } from "./row.ts";

/** Sources of inputs. */
export const configurationInputs = {
  config: {
    description:
      "The repository's configuration file. Empty: `.github/loadtest.yml`, if it exists. `none`: no file. Inputs override the file. Several files, one a line: one report of several apps, each with a file of its own.",
    isList: true,
    reader: z.string().optional(),
    door: "both",
  },
  settings: {
    description:
      "More keys of the configuration file, as YAML, e.g. `install: requirements.txt`. They override the file, and other inputs override them.",
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

/** The app, its installation and its server. */
export const appInputs = {
  name: {
    description:
      "Name of the app. With a name it has its own section in the report. Empty: none. In a report of several apps, an app without a name is named after its folder.",
    reader: appNameSchema.optional(),
    form: { schema: kinds.text("shop"), example: "name: shop" },
    door: "both",
  },
  app: {
    description:
      "Import string of the app, e.g. `app.main:app`. Empty: the only app that is found in `working-directory`.",
    reader: values.importString.optional(),
    form: { schema: kinds.text("app.main:app"), example: "app: app.main:app" },
    door: "both",
  },
  "working-directory": {
    description: "Folder of the app. Its server runs in this folder, and its requirements are found there.",
    fallback: ".",
    reader: z.string(),
    form: { schema: kinds.text("services/shop"), example: "working-directory: services/shop" },
    door: "both",
  },
  "app-env": {
    description:
      "Variables for the app, one `NAME=value` a line. Nothing else of the job's environment reaches it.",
    reader: values.variables.optional(),
    form: { schema: kinds.variables, example: "app-env:\n  LOG_LEVEL: warning\n  WITH_CACHE: false" },
    isSecret: true,
  },
  "env-file": {
    description:
      "Environment file that the app will not start without, as a path below `working-directory`, e.g. `.env`. Where there is none, each arm runs in a copy of its own with an empty one; its variables are those of `app-env`.",
    reader: values.environmentFile.optional(),
    form: { schema: kinds.text(".env"), example: "env-file: src/.env" },
  },
  python: {
    description:
      "Python for the app's environment: a program's name or path. `auto`: one that fits the repository's `.python-version` or `requires-python`.",
    fallback: "auto",
    reader: z.string(),
    form: { schema: kinds.text("python3.12"), example: "python: python3.12" },
    verbs: [...measuring, "trends"],
  },
  install: {
    description:
      "How to make the app's environment. `auto`: from uv.lock, poetry.lock, pdm.lock, requirements.txt or pyproject.toml, in a virtual environment of its own. `none`: the Python of `python`, as it is. Otherwise a requirements file, or the folder of a virtual environment that you made.",
    fallback: "auto",
    reader: z.string(),
    form: {
      schema: kinds.text("requirements/production.txt"),
      example: "install: requirements/production.txt",
    },
  },
  "exclude-newer": {
    description:
      "A day, e.g. `2024-01-26`: versions of packages that came out after it are not installed, where requirements do not fix them. For an app that newer ones broke. Lock files fix all versions anyway. Needs uv.",
    reader: values.day.optional(),
    form: { schema: kinds.day, example: "exclude-newer: 2024-01-26" },
  },
  "install-command": {
    description:
      "Replaces `install`: commands, one a line, that install the app's requirements. They run in `working-directory`, in a new virtual environment with pip. `VIRTUAL_ENV` names it, and its programs come first. No shell is involved.",
    reader: values.commands.optional(),
    form: {
      schema: kinds.lines("[pip install .]"),
      example:
        "install-command:\n  - pip install --requirement requirements/base.txt\n  - pip install --no-deps .",
    },
  },
  server: {
    description: `Server of the app: ${serverNames}, or a command. In a command, \`{app}\`, \`{host}\`, \`{port}\` and \`{workers}\` are filled in. No shell is involved.`,
    fallback: usualServer.name,
    reader: serverTemplate,
    form: {
      schema: kinds.text(`${usualServer.name} {app} --port {port}`),
      example: `server: ${usualServer.command} --limit-concurrency 100`,
    },
  },
  port: {
    description: "Port for the app. `0` takes a free one for each start.",
    fallback: "0",
    reader: values.wholeNumber(0, 65_535),
    form: { schema: kinds.number("8000"), example: "port: 8000" },
  },
  "ready-path": {
    description: "Path that is polled until the app answers. Any status below 500 will do.",
    fallback: "/",
    reader: z.string().startsWith("/", "must start with /"),
    form: { schema: kinds.text("/health"), example: "ready-path: /health" },
  },
  "ready-timeout": {
    description: "Longest time that the app may take to answer, e.g. `30s`.",
    fallback: "30s",
    reader: values.duration(0.1, 3_600),
    form: { schema: kinds.duration("30s"), example: "ready-timeout: 1m" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
