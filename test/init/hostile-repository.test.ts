import { expect, test } from "vitest";
import { literalAccounts } from "../../src/init/read/literal-accounts.ts";
import { findProject } from "../../src/init/read/repository.ts";
import { exampleValues } from "../../src/init/read/variables.ts";
import { missingVariables } from "../../src/init/repair/values.ts";
import { routesIn } from "../../src/init/requests/endpoints.ts";
import { cpuMs } from "../cpu-time.ts";

/** Of CPU time, while coverage is counted, too; what is not linear takes minutes. */
const mostMs = 1_500;
const fill = (piece: string) => piece.repeat(Math.floor(500_000 / piece.length));
const app = { importString: "a:app", folder: ".", framework: "FastAPI" };
const placed = { app, name: undefined, path: ".github/loadtest.yml", from: "." };

test.for<readonly [what: string, path: string, text: string]>([
  ["blanks", "a.py", fill(" ")],
  ["empty lines", "a.py", fill("\n")],
  ["blanks in settings", "a.py", `class S(BaseSettings):\n    a: ${fill(" ")}#`],
  ["classes without end", "a.py", fill("class A(BaseSettings")],
  ["classes of settings", "a.py", fill("class A(BaseSettings):\n")],
  ["variables without end", "a.py", fill("environ[")],
  ["calls without end", "a.py", fill("config('A")],
  ["a URL without end", "a.py", `create_engine(${fill("postgresql+")}`],
  ["empty lines of SQL", "a.sql", fill("\n \n")],
  ["quotes", "requirements.txt", fill('" ')],
  ["names", "requirements.txt", fill("a-_.")],
  ["brackets", "Dockerfile", fill("[ ,")],
  ["routes without end", "a.py", fill("@app.get(\n")],
  ["variables without a value", ".env.example", fill("A=")],
  ["anchors", "docker-compose.yml", fill("a: &a [*a,")],
  ["accounts", "a.py", fill('username="ada", password="abcd" ')],
  ["names of hashes", "a.py", fill("hash")],
  ["missing fields", "a.py", fill("a Field required ")],
  ["a location of scripts", "alembic.ini", `script_location = ${fill("a/")}`],
])("a repository with %s takes no time", ([, path, text]) => {
  const files = [
    { path: "requirements/base.txt", text: "psycopg" },
    { path, text },
  ];
  const before = cpuMs();
  findProject(placed, files, [app], [], new Set(["redis"]));
  exampleValues(files);
  literalAccounts([{ path: "seed.py", text }]);
  missingVariables(text, { variables: [], files: [], examples: new Map() });
  routesIn(files);
  expect(cpuMs() - before).toBeLessThan(mostMs);
});
