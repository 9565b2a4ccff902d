import { expect, test } from "vitest";

import { exampleValues, valueFor } from "../../../src/init/read/variables.ts";

/** Names and values that are found. */
const found = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    [...exampleValues(Object.entries(files).map(([path, text]) => ({ path, text })))].map(
      ([name, { value }]) => [name, value],
    ),
  );

test.for<readonly [what: string, files: Record<string, string>, expected: Record<string, string>]>([
  [
    "lines of every form",
    { ".env.example": `# A=1\nexport B=2 # two\nc = 'a # b'\nD=\nE=\${B}\nF=<your key>\nno line\n` },
    { B: "2", C: "a # b" },
  ],
  [
    "no placeholders",
    {
      ".env.example":
        "A=changeme\nB=__REPLACE_ME__\nC=your-secret-key\nD=xxx\nE=change_me_please\nF=TODO\nG=exchange\nH=yours\nI=YourEmail\n",
    },
    { G: "exchange", H: "yours" },
  ],
  [
    "an algorithm in place of a hint",
    { ".env.example": "ALGORITHM=e.g. HS512\nJWT_ALGORITHM=RS256\n" },
    { ALGORITHM: "HS256", JWT_ALGORITHM: "RS256" },
  ],
  [
    "made-up secrets in place of those that everybody has to replace",
    { ".env.example": "FIRST_USER_PASSWORD=changethis\nJWT_SECRET=change-it\nMAIL_USER=changethis\n" },
    { FIRST_USER_PASSWORD: "Load-test-1!", JWT_SECRET: "made-up-for-the-load-test-of-32-or-more" },
  ],
  [
    "the example before the file itself, and both before compose files and workflows",
    {
      ".github/workflows/ci.yml": `jobs:\n  a:\n    env:\n      A: w\n      W: \${{ secrets.W }}\n      N: 5\n      O: [1]\n`,
      "docker-compose.yml": `services:\n  web:\n    environment:\n      - A=c\n      - C=\${C:-d}\n`,
      ".env": "A=e\nB=e\n",
      "api/.env.sample": "A=s\n",
      "prod.env": "A=p\nP=p\n",
    },
    { A: "s", B: "e", P: "p", C: "d", N: "5" },
  ],
  [
    "the variables of an image, without its paths and what it refers to",
    {
      "docker/Dockerfile": `FROM python\nENV PRODUCTION=true\nENV A=1 \\\n    B="two words" HOME_OF=/app\nENV HOST 0.0.0.0\nENV C=$A\nARG D=1\n`,
      ".github/workflows/ci.yml": "env: { PRODUCTION: false, E: 1 }",
    },
    { PRODUCTION: "true", A: "1", B: "two words", HOST: "0.0.0.0", E: "1" },
  ],
  [
    "variables of a development container, with its remarks",
    {
      ".devcontainer/devcontainer.json": `// How we work\n{\n  "image": "a", // newest\n  "containerEnv": { "A": "1", "B": "\${localEnv:B}", "U": "http://a/b" },\n  /* more */\n  "remoteEnv": { "C": "3", },\n}\n`,
    },
    { A: "1", U: "http://a/b", C: "3" },
  ],
  [
    "nothing of other files",
    { "a.py": "A=1", "other.yml": "env: { A: 1 }", "b/ci.yml": "env: { A: 1 }" },
    {},
  ],
  ["nothing of what is no YAML", { "compose.yaml": "a: [" }, {}],
  ["nothing of what nobody wrote", { "compose.yaml": `env: { A: 1 }\n${"#".repeat(60_000)}` }, {}],
  ["nothing too deep", { "compose.yml": `${"{a: ".repeat(12)}{env: {A: 1}}${"}".repeat(12)}` }, {}],
])("values that somebody wrote down: %s", ([, files, expected]) => {
  expect(found(files)).toEqual(expected);
});

test.for<readonly [name: string, type: string | undefined, example: string, value: string]>([
  ["MAIL_PORT", undefined, "Port", "1"],
  ["SIZE", "int", "A number", "1"],
  ["SIZE", "int", "20", "20"],
  ["NAME", "str", "Port", "Port"],
])("%s of type %s with the example %s is %s", ([name, type, example, value]) => {
  const variable = { name, type, path: "config.py", isNeeded: true, value: undefined, isField: false };
  expect(valueFor(variable, new Map([[name, { value: example, path: ".env.example" }]]))).toBe(value);
});
