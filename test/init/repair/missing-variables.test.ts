import { expect, test } from "vitest";

import { missingVariables } from "../../../src/init/repair/values.ts";

const read = (name: string, isField = false) => ({
  name,
  path: "a.py",
  isNeeded: false,
  type: undefined,
  value: undefined,
  isField,
});
const variables = [
  read("TOKEN"),
  read("APP_SECRET_KEY", true),
  read("MAIL__FROM", true),
  read("DATABASE_URL", true),
];

const files = [
  {
    path: "a.py",
    text: `secret = env("SALT_OF_OURS"), os.getenv('MAIL_OF_OURS'), COLOURS["RED"], Names.login = "ADMIN_LOGIN"`,
  },
  { path: "README.md", text: `"READ_ME"` },
];

test.for<readonly [who: string, said: string, expected: readonly string[]]>([
  ["os.environ", "KeyError: 'TOKEN'", ["TOKEN"]],
  ["Starlette", "KeyError: \"Config 'TOKEN' is missing, and has no default.\"", ["TOKEN"]],
  ["decouple", "UndefinedValueError: TOKEN not found. Declare it", ["TOKEN"]],
  ["environs", 'EnvError: Environment variable "TOKEN" not set', ["TOKEN"]],
  ["people", "RuntimeError: TOKEN must be set", ["TOKEN"]],
  [
    "pydantic 2, with a prefix and of a part",
    "2 validation errors for S\nsecret_key\n  Field required [type=missing, input_value={}]\nmail.from\n  Field required [type=missing]",
    ["APP_SECRET_KEY", "MAIL__FROM"],
  ],
  [
    "pydantic 2 on one line",
    "1 validation error for S secret_key Field required [type=missing,",
    ["APP_SECRET_KEY"],
  ],
  [
    "pydantic 2, whose default is none",
    "secret_key\n  Input should be a valid list [type=list_type, input_value=None, input_type=NoneType]",
    ["APP_SECRET_KEY"],
  ],
  [
    "nobody, where somebody gave the value",
    "secret_key\n  Input should be a valid list [type=list_type, input_value='a', input_type=str]",
    [],
  ],
  ["pydantic 1", "database_url\n  field required (type=value_error.missing)", ["DATABASE_URL"]],
  ["each once", "KeyError: 'TOKEN'\nKeyError: 'TOKEN'", ["TOKEN"]],
  [
    "a library that reads a key itself",
    "OpenAIError: Missing credentials. Please pass an `api_key`, or set the `OPENAI_API_KEY` or `OPENAI_ADMIN_KEY` environment variable.",
    ["OPENAI_API_KEY"],
  ],
  ["what the code does not read", "KeyError: 'OTHER'\nuser_name\n  Field required [type=missing]", []],
  [
    "a function of the app's own",
    "ConfigParseError: SALT_OF_OURS is not set\nMAIL_OF_OURS is required, READ_ME is required",
    ["SALT_OF_OURS", "MAIL_OF_OURS"],
  ],
  ["a dictionary", "KeyError: 'RED'", []],
  ["a constant that somebody has an example for", "KeyError: 'ADMIN_LOGIN'", ["ADMIN_LOGIN"]],
  ["another fault", "ImportError: no TOKEN", []],
])("a variable is missing, in the words of %s", ([, said, expected]) => {
  const examples = new Map([["ADMIN_LOGIN", { value: "admin", path: "dev.env" }]]);
  expect(missingVariables(said, { variables, files, examples }).map(({ name }) => name)).toEqual(expected);
});
