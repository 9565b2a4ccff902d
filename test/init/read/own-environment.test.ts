import { expect, test } from "vitest";

import { readByItself } from "../../../src/init/read/variables.ts";

test.for<[what: string, code: string, isRead: boolean]>([
  ["pydantic's settings", "class Config:\n    env_file = './.env'\n", true],
  [
    "pydantic's settings of today",
    'model_config = SettingsConfigDict(env_file=".env", extra="ignore")',
    true,
  ],
  ["a dictionary of settings", 'model_config = {"env_file": ".env"}', true],
  ["several files", 'SettingsConfigDict(env_file=(".env", ".env.local"))', true],
  ["python-dotenv", "from dotenv import load_dotenv\nload_dotenv()", true],
  ["decouple", "from decouple import config", true],
  ["Starlette", 'config = Config(".env")', true],
  ["environs", "env = Env()\nenv.read_env()", true],
  ["another file", "env_file = 'prod.env'", false],
  ["the environment alone", 'os.environ["KEY"]', false],
])("%s", ([, code, isRead]) => {
  const env = { path: ".env", text: "KEY=1\nexport other=2\n" };
  const found = (files: readonly { path: string; text: string }[]) => [...readByItself(files)];
  expect(found([env, { path: "app/config.py", text: code }])).toEqual(isRead ? ["KEY", "OTHER"] : []);
  expect(
    found([
      { ...env, path: "deploy/.env" },
      { path: "config.py", text: code },
    ]),
  ).toEqual([]);
  expect(found([env, { path: "README.md", text: code }])).toEqual([]);
});
