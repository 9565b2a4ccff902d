import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { root } from "./act.ts";

/** A history of an app, in which one commit after the first makes an endpoint slower. */
export interface PlantedHistory {
  /** Commits after the first. */
  readonly commits: number;
  /** Absent: none is slower. */
  readonly guilty?: number;
  /** These cannot be imported. */
  readonly broken?: readonly number[];
  readonly endpoints: readonly string[];
  readonly seed?: string;
  /** Texts of the app's files by name, before the guilty commit or from it on. */
  files(isGuilty: boolean): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
}

const about = (index: number) => `
@app.get("/about")
async def about() -> dict[str, int]:
    return {"revision": ${index}}
`;

const price = (rounds: number) => ({
  "main.py": `from fastapi import FastAPI

from prices import quote

app = FastAPI()


@app.get("/price")
async def price() -> dict[str, int]:
    return {"price": quote()}
`,
  "prices.py": `def quote() -> int:
    total = 0
    for step in range(${rounds}):
        total += step * step % 7
    return total
`,
});

const waiting = (milliseconds: number) => ({
  "main.py": `import asyncio

from fastapi import FastAPI

app = FastAPI()


@app.get("/price")
async def price() -> dict[str, int]:
    await asyncio.sleep(${milliseconds / 1_000})
    return {"price": 7}
`,
});

const serialised = (fields: number) => ({
  "main.py": `from fastapi import FastAPI

from items import Item

app = FastAPI()


@app.get("/price")
async def price() -> list[Item]:
    return [Item(number=number) for number in range(60)]
`,
  "items.py": `from pydantic import BaseModel


class Item(BaseModel):
    number: int
${Array.from({ length: fields }, (_, field) => `    note_${field}: str = "note ${field}"\n`).join("")}`,
});

const shop = join(root, "test", "end-to-end", "shop");
const textOf = (name: string) => readFile(join(shop, name), "utf8");

const twenty = { commits: 20, endpoints: ["/price", "/about"] };
const cpu = (isGuilty: boolean) => price(isGuilty ? 16_600 : 15_000);
export const plantedHistories = {
  "10% more CPU in a loop": { ...twenty, guilty: 13, files: cpu },
  "an N+1 query": {
    ...twenty,
    guilty: 6,
    endpoints: ["/orders", "/about"],
    seed: "schema.sql",
    files: async (isGuilty: boolean) => ({
      "main.py": await textOf("main.py"),
      "orders.py": await textOf(isGuilty ? "orders.head.py" : "orders.py"),
      "prices.py": await textOf("prices.py"),
      "schema.sql": await textOf("schema.sql"),
    }),
  },
  "longer waiting": { ...twenty, guilty: 17, files: (isGuilty: boolean) => waiting(isGuilty ? 12 : 10) },
  "more fields to serialise": {
    ...twenty,
    guilty: 3,
    files: (isGuilty: boolean) => serialised(isGuilty ? 9 : 6),
  },
  "10% more CPU among commits that cannot be started": {
    ...twenty,
    ...{ guilty: 11, broken: [9, 12], files: cpu },
  },
} satisfies Record<string, PlantedHistory>;

/** Makes a repository with these commits, of which the first has the tag `v1` and the last is `main`. */
export async function plantHistory(folder: string, history: PlantedHistory) {
  const { commits, guilty = Number.POSITIVE_INFINITY, broken = [], endpoints, seed } = history;
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=Ana", "-c", "user.email=a@example.invalid", ...args], {
      cwd: folder,
    });
  const lines = [
    "app: main:app",
    `install: ${join(root, ".tools", "target-app")}`,
    seed === undefined ? "database: none" : `seed: ${seed}`,
    "workers: [1]",
    `endpoints: [${endpoints.join(", ")}]`,
  ];
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await git("init", "--quiet", "--initial-branch=main");
  await write(".github/loadtest.yml", `${lines.join("\n")}\n`);
  for (let index = 0; index <= commits; index += 1) {
    const { "main.py": main = "", ...others } = await history.files(index >= guilty);
    const isBroken = broken.includes(index);
    await write("main.py", `${isBroken ? "import nowhere\n" : ""}${main}\n${about(index)}`);
    for (const [name, text] of Object.entries(others)) await write(name, text);
    await git("add", "--all");
    await git("commit", "--quiet", `--message=Commit ${index}`);
    if (index === 0) await git("tag", "v1");
  }
  return { status: async () => (await git("status", "--porcelain")).stdout };
}
