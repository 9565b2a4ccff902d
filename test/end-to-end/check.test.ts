import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./act.ts";
import { runProgram } from "./program.ts";

const app = `from fastapi import Depends, FastAPI
from fastapi.security import OAuth2PasswordBearer
from pydantic import BaseModel

app = FastAPI()


class Order(BaseModel):
    item: str
    amount: int


@app.get("/plain")
def plain():
    return {"plain": True}


@app.post("/orders", status_code=201)
def order(order: Order):
    return order


@app.get("/me")
def me(token: str = Depends(OAuth2PasswordBearer(tokenUrl="token"))):
    return {"token": token}


@app.get("/broken")
def broken():
    return 1 / 0
`;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-test-"));
  await chmod(folder, 0o711);
  await writeFile(join(folder, "main.py"), app);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const config = (endpoints: string) =>
  writeFile(
    join(folder, "loadtest.yml"),
    `app: main:app\ndatabase: none\ninstall: ${join(root, ".tools", "target-app")}\n${endpoints}`,
  );

test("each endpoint is requested once, and what is missing is named", async () => {
  await config("endpoints: [/plain, POST /orders, /me, /broken, /plane]\n");
  const { status, output } = await runProgram(folder, ["check", "--config", "loadtest.yml"]);
  expect(status, output).toBe(2);
  expect(output).toContain("  /plain        200  can be measured\n");
  expect(output).toMatch(/^ {2}\/broken {7}500 {2}missing$/m);
  expect(output).toMatch(/^- GET \/broken answered 500.*: ZeroDivisionError: division by zero$/m);
  expect(output).toContain("  headers:\n    Authorization:\n      secret: LOADTEST_TOKEN\n");
  expect(output).toContain(
    "endpoints:\n  - path: /orders\n    method: POST\n    body:\n      item: text\n      amount: 1\n  - /plain\n",
  );
});

test("what it proposes is right, and a change of the file is checked at once", async () => {
  await config("endpoints: [POST /orders]\n");
  const child = spawn("node", [join(root, "dist/cli.js"), "check", "--watch", "--config", "loadtest.yml"], {
    cwd: folder,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    await expect.poll(() => output, { timeout: 120_000 }).toContain("Add this to the configuration file:");
    const [, proposed = ""] = output.split("Add this to the configuration file:");
    await config(proposed);
    await expect.poll(() => output, { timeout: 120_000 }).toContain("  POST /orders  201  can be measured\n");
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});

test("programs read JSON alone", async () => {
  await config("endpoints: [/plain]\n");
  const { status, output } = await runProgram(folder, ["check", "--json", "--config", "loadtest.yml"]);
  expect(status, output).toBe(0);
  expect(JSON.parse(output)).toEqual({
    schemaVersion: 1,
    apps: [{ endpoints: [{ endpoint: "/plain", status: 200 }] }],
  });
});
