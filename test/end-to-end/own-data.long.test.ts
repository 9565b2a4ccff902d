import { describe } from "vitest";

import { isSaid, type Own, starting } from "./own.ts";

const harbour = `import secrets
from fastapi import Cookie, FastAPI, Header, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

app = FastAPI()
keys: dict[str, str] = {}

@app.post("/enter")
def enter(response: Response, secure: bool = True, path: str = "/"):
    key, token = secrets.token_hex(8), secrets.token_hex(8)
    keys[key] = token
    response.set_cookie("rope", key, httponly=True, secure=secure, samesite="lax", path=path)
    response.headers["X-Token"] = token
    return {"token": token}

@app.post("/enter-by")
def enter_by():
    key = secrets.token_hex(8)
    keys[key] = key
    response = RedirectResponse("/mine", 303)
    response.set_cookie("rope", key)
    return response

@app.get("/mine")
@app.get("/mine/nets")
def mine(rope: str | None = Cookie(None)):
    if rope not in keys:
        raise HTTPException(401)
    return {"net": 7}

@app.post("/tie")
@app.get("/tie/{token}")
async def tie(request: Request, token: str = "", x_token: str = Header(""), q: str = "", rope: str = Cookie("")):
    given = token or x_token or q or (await request.body()).decode().strip('{}"token: ')
    if keys.get(rope) != given:
        raise HTTPException(403, f"{given} is not the token")
    return {"tied": True}
`;
const steps = (endpoints: string, iteration: string) =>
  `endpoints:\n${endpoints}iteration: [${iteration
    .split(", ")
    .map((each) => JSON.stringify(each))
    .join(", ")}]\n`;
/** What an iteration of steps does to the app that sets cookies. */
const session = (name: string, text: string, says: string | RegExp = /→.* +1 +[\d,]+/, exit = 0): Own => ({
  ...{ name, exit, says: [says] },
  files: { "main.py": harbour, "own.yml": text },
  options: { config: "own.yml" },
});

describe("E: one user, one client", () => {
  const entered = (path: string, next: string) =>
    steps(`  - { method: POST, path: "${path}" }\n  - ${next}\n`, `POST ${path}, GET ${next}`);
  isSaid([
    session("a Secure cookie on loopback", entered("/enter", "/mine")),
    session("a plain one", entered("/enter?secure=false", "/mine")),
    session("one for a path", entered("/enter?path=/mine", "/mine/nets")),
    session("one for another path", entered("/enter?path=/other", "/mine"), /401/, 3),
    session("one that a redirect sets", entered("/enter-by", "/mine")),
  ]);
});

describe("F: a placeholder is filled in or refused", () => {
  const tied = (next: string, capture = "/token", end = "POST /tie") =>
    steps(
      `  - { method: POST, path: /enter, capture: { key: ${capture} } }\n  - ${next}\n`,
      `POST /enter, ${end}`,
    );
  isSaid([
    session("in a header", tied('{ method: POST, path: /tie, headers: { X-Token: "{key}" } }')),
    session("in a body", tied('{ method: POST, path: /tie, body: { token: "{key}" } }')),
    session("in a query", tied('{ method: POST, path: "/tie?q={key}" }', "/token", "POST /tie?q={key}")),
    session(
      "in a path, from a header",
      tied('{ path: "/tie/{key}" }', "{ header: X-Token }", "GET /tie/{key}"),
    ),
    session(
      "unknown",
      tied('{ method: POST, path: /tie, headers: { X-Token: "{keys}" } }'),
      "has no value for {keys}",
      2,
    ),
  ]);
});

const boats = "CREATE TABLE boats (id INT PRIMARY KEY, name TEXT);\n";
const reading = (query: string, wanted: string) =>
  starting(
    `link = await asyncpg.connect(os.environ["DATABASE_URL"])\nfound = await link.fetchval(${JSON.stringify(query)})\nassert str(found) == ${JSON.stringify(wanted)}, found`,
    "import asyncpg",
  );
const first = "SELECT name FROM public.boats ORDER BY id LIMIT 1";
/** What an app reads that a seed has filled: the app ends where it is something else. */
const seeded = (
  name: string,
  seed: string | Readonly<Record<string, string>>,
  { query = first, wanted = "Ana", says = /\/nets +1 +[\d,]+/ as string | RegExp, exit = 0 } = {},
): Own => ({
  ...{ name, exit, says: [says] },
  files: { "main.py": reading(query, wanted), ...(typeof seed === "string" ? { "seed.sql": seed } : seed) },
  options: { database: "postgres", seed: "seed.sql" },
});

describe("G: dumps and seeds as people have them", () => {
  const refused = (says: string) => ({ says, exit: 3 });
  isSaid([
    seeded(
      "a dump",
      `\\restrict abc\nSET statement_timeout = 0;\n${boats}COPY public.boats (id, name) FROM stdin;\n1\tAna\n2\t\\N\n\\.\n\\unrestrict abc\n`,
    ),
    seeded(
      "a dump that first drops what it makes",
      `--\n-- PostgreSQL database dump\n--\n\nALTER TABLE ONLY public.boats DROP CONSTRAINT boats_pkey;\nDROP TABLE public.boats;\nDROP SCHEMA public;\nCREATE SCHEMA public;\nALTER SCHEMA public OWNER TO crew;\n${boats}COPY public.boats (id, name) FROM stdin;\n1\tAna\n\\.\n`,
    ),
    seeded(
      "its lines end as on Windows",
      `${boats}COPY boats FROM stdin;\n1\tAna\n\\.\n`.replaceAll("\n", "\r\n"),
    ),
    seeded(
      "owners and grants",
      `${boats}ALTER TABLE boats OWNER TO crew;\nGRANT SELECT ON boats TO guest;\nINSERT INTO boats VALUES (1, 'Ana');\n`,
      {
        says: /skipped what does not apply here: OWNER TO crew, GRANT to guest/,
      },
    ),
    seeded(
      "a file of the server",
      `${boats}COPY boats FROM '/srv/boats.csv' CSV;\n`,
      refused("Put the rows into the seed file"),
    ),
    seeded("a program", `${boats}COPY boats FROM PROGRAM 'cat /etc/passwd';\n`, {
      says: /COPY|superuser/,
      exit: 3,
    }),
    seeded("a file that it includes", {
      "seed.sql": "\\set ON_ERROR_STOP on\n\\ir parts/boats.sql\n",
      "parts/boats.sql": `${boats}INSERT INTO boats VALUES (1, 'Ana');\n`,
    }),
    seeded("one that is not there", "\\ir parts/none.sql\n", refused("none.sql is not there")),
    seeded(
      "a pointer of LFS",
      "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 9\n",
      refused("is a Git LFS pointer"),
    ),
    seeded("another tool's dump", "-- MySQL dump 10.13\n", refused("is a MySQL or MariaDB dump")),
    seeded(
      "a line of psql that names the database",
      `\\connect postgres\n${boats}INSERT INTO boats VALUES (1, 'Ana');\n`,
    ),
  ]);
});

describe("H: the database is the app's", () => {
  const filled = `${boats}INSERT INTO boats VALUES (1, 'Ana'), (2, 'Bo');\n`;
  isSaid([
    seeded("no superuser", filled, {
      query: "SELECT rolsuper FROM pg_roles WHERE rolname = current_user",
      wanted: "False",
    }),
    seeded(
      "row-level security",
      `${filled}ALTER TABLE boats ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;\nCREATE POLICY one ON boats USING (id = 2);\n`,
      { wanted: "Bo" },
    ),
    seeded(
      "a search path",
      `CREATE SCHEMA quay;\nCREATE TABLE quay.nets AS SELECT 'Ana' AS name;\nDO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = quay, public', current_database()); END $$;\n`,
      { query: "SELECT name FROM nets" },
    ),
    seeded("its owner", filled, {
      query: "SELECT tableowner = current_user FROM pg_tables WHERE tablename = 'boats'",
      wanted: "True",
    }),
    seeded("an extension", `CREATE EXTENSION citext;\n${filled}`, {
      query: "SELECT extname FROM pg_extension WHERE extname = 'citext'",
      wanted: "citext",
    }),
  ]);
});

describe("J: OpenAPI is read as it is written", () => {
  const head = `from typing import Annotated, Literal
from pydantic import BaseModel, Field
from fastapi import FastAPI, Path, Query
`;
  const model = (fields: string) =>
    `${head}app = FastAPI()\nclass Sail(BaseModel):\n    kind: Literal["sail"]\n    area: float\nclass Motor(BaseModel):\n    kind: Literal["motor"]\n    power: float\nclass Thing(BaseModel):\n    ${fields}\n\n@app.post("/things")\nasync def things(thing: Thing):\n    return thing\n`;
  const read = (name: string, source: string, says: string | RegExp = /things +1 +[\d,]+/): Own => ({
    ...{ name, exit: 0, says: [says] },
    files: { "main.py": source, "own.yml": 'endpoints: { include: ["*", "POST *"] }\n' },
    options: { config: "own.yml", vus: "1", duration: "1s" },
  });
  isSaid([
    read("a tuple", model("place: tuple[float, float]")),
    read("limits that are left out", model("share: float = Field(gt=0, lt=1)")),
    read("a multiple", model("size: int = Field(ge=1, multiple_of=5)")),
    read("one of two models", model('drive: Annotated[Sail | Motor, Field(discriminator="kind")]')),
    read("a text with a length", model("word: str = Field(min_length=9, max_length=11)")),
    read(
      "a path in Unicode",
      `${head}app = FastAPI()\n@app.get("/häfen")\nasync def a():\n    return [1]\n`,
      "/h%C3%A4fen",
    ),
  ]);
});
