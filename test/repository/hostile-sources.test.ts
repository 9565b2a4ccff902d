import { expect, test } from "vitest";

import { findApps } from "../../src/repository/apps.ts";
import { fitsPython, wishOfProject, wishOfVersionFile } from "../../src/repository/python-version.ts";
import { cpuMs } from "../cpu-time.ts";

/** Of CPU time, while coverage is counted, too; what is not linear takes minutes. */
const mostMs = 1_500;
/** As large as a source file may be. */
const most = 500_000;
const fill = (piece: string) => piece.repeat(Math.floor(most / piece.length));

test.for<readonly [string, path: string, text: string]>([
  ["empty lines", "src/a.py", fill("\n")],
  ["blanks", "src/a.py", fill(" \n")],
  ["one name", "a.py", fill("a")],
  ["names and no value", "a.py", fill("a\n")],
  ["a type without end", "a.py", `app:${fill("x")}`],
  ["a value without end", "a.py", `app = ${fill("x")}`],
  ["blanks before a value", "a.py", `app =${fill("\n")}`],
  ["functions without end", "a.py", fill("def a(\n")],
  ["parameters without end", "a.py", `def app(${fill("a,")}) -> FastAPI:`],
  ["lines of blanks in a branch", "a.py", `if a:\n${fill("    \n")}    b = 1\n`],
  ["branches", "a.py", fill("if a:\n    \n  \n")],
  ["lines of blanks in a function", "a.py", `def create_app():\n${fill("    \n")}    b = 1\n`],
  ["functions of blanks", "a.py", fill("def create_app():\n    \n  \n")],
  ["tables of fastapi", "pyproject.toml", fill("[tool.fastapi]\n")],
  ["empty lines in such a table", "pyproject.toml", `[tool.fastapi]${fill("\n")}`],
  ["keys in such a table", "pyproject.toml", `[tool.fastapi]\n${fill("entrypoint\n")}`],
])("T29: to look for apps in %s takes no time", ([, path, text]) => {
  const before = cpuMs();
  findApps([
    { path, text },
    { path: "src/b.py", text: "" },
  ]);
  expect(cpuMs() - before).toBeLessThan(mostMs);
});

test("T29: nor in five thousand modules of one folder", () => {
  const modules = Array.from({ length: 5_000 }, (_, index) => ({
    path: `src/m${index}.py`,
    text: "# nothing that matters\n".repeat(20),
  }));
  const before = cpuMs();
  expect(findApps([...modules, { path: "src/app.py", text: "app = FastAPI()\n" }])).toEqual([
    { importString: "app:app", folder: ".", framework: "FastAPI" },
  ]);
  expect(cpuMs() - before).toBeLessThan(mostMs);
});

test.for<readonly [string, string]>([
  ["empty lines", fill("\n")],
  ["keys outside of their table", fill("python\n")],
  ["a table of Poetry's and nothing in it", `[tool.poetry.dependencies]\n${fill("\n")}python`],
  ["a version without end", `[project]\nrequires-python = ">=${fill("3.")}"`],
  ["a value that is not closed", `[project]\nrequires-python = "${fill("3")}`],
  ["comments", `[project]\n${fill("#")}`],
  ["digits", fill("3")],
  ["versions", fill("3.")],
  ["conditions", fill(">=3,")],
  ["blanks", fill(" ")],
  ["alternatives", fill("|")],
])("T29: to read the Python that %s ask for takes no time", ([, text]) => {
  const before = cpuMs();
  const wish = wishOfProject(text) ?? wishOfVersionFile(text) ?? text;
  expect(typeof fitsPython("3.12.4", wish)).toBe("boolean");
  expect(cpuMs() - before).toBeLessThan(mostMs);
});

test.for<readonly [string, string | undefined]>([
  ['[project]\nname = "x"\nrequires-python = ">=3.10"\n', ">=3.10"],
  ['[project] # ours\r\nrequires-python=">=3.10"\r\n', ">=3.10"],
  ['[tool.poetry.dependencies]\npython = "^3.11"\n', "^3.11"],
  ['[tool.black]\npython = "3.9"\n', undefined],
  ['[project.urls]\nrequires-python = "3.9"\n', undefined],
  ["", undefined],
])("the Python that %j asks for is %j", ([text, wish]) => {
  expect(wishOfProject(text)).toBe(wish);
});
