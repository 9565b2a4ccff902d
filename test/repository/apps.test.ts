import { describe, expect, test } from "vitest";

import { findApps } from "../../src/repository/apps.ts";

const found = (files: Readonly<Record<string, string>>) =>
  findApps(Object.entries(files).map(([path, text]) => ({ path, text })));
const app = "from fastapi import FastAPI\n\napp = FastAPI(title='x')\n";

type Case = readonly [what: string, files: Readonly<Record<string, string>>, expected: readonly string[]];

describe("findApps", () => {
  test.for<Case>([
    ["a module", { "main.py": app }, ["main:app in ., FastAPI"]],
    ["a package", { "app/main.py": app, "app/__init__.py": "" }, ["app.main:app in ., FastAPI"]],
    ["a package's own module", { "shop/__init__.py": app }, ["shop:app in ., FastAPI"]],
    ["a source folder", { "pyproject.toml": "", "src/shop/web.py": app }, ["shop.web:app in ., FastAPI"]],
    [
      "an app that another file serves, which keeps a remnant of its own",
      {
        "main.py": `${app}\nuvicorn.run(\n    app="app.server:app",\n    port=8000)\n`,
        "app/__init__.py": "",
        "app/server.py": "app = create_app()\n",
      },
      ["app.server:app in ., app"],
    ],
    [
      "a function that another file serves",
      {
        "main.py": `${app}\nuvicorn.run("server:create_app", factory=True)\n`,
        "server.py": "def create_app() -> FastAPI:\n    return FastAPI()\n",
      },
      ["server:create_app() in ., FastAPI"],
    ],
    [
      "an app that serves itself, or what is not there",
      {
        "main.py": `${app}\nuvicorn.run("main:app")\n`,
        "old/main.py": `${app}\nuvicorn.run("gone:app")\n`,
      },
      ["main:app in ., FastAPI", "old.main:app in ., FastAPI"],
    ],
    [
      "an app of a class of its own",
      {
        "app/classes.py": "class Documented(FastAPI):\n    pass\n\nclass Other(Base):\n    pass\n",
        "app/main.py": "from app.classes import Documented\n\nweb = Documented(title='x')\n",
        "app/other.py": "app = Other()\n",
      },
      ["app.main:web in ., FastAPI"],
    ],
    [
      "an app, and a longer name for one that a worker makes of the same function",
      { "main.py": "app = create_app()\n", "worker.py": "worker_app = create_app()\n" },
      ["main:app in ., app"],
    ],
    [
      "an app with a longer name, in a folder that nothing can import by its name",
      {
        "pyproject.toml": "",
        "fastapi-app/main.py": "main_app = create_app(\n    docs=True,\n)\n",
        "fastapi-app/make.py": "def create_app(docs: bool = False) -> FastAPI:\n    return FastAPI()\n",
      },
      ["main:main_app in ., app"],
    ],
    [
      "a package called src",
      { "src/main.py": `from src.items import router\n${app}` },
      ["src.main:app in ., FastAPI"],
    ],
    [
      "a package called src, by its file",
      { "src/__init__.py": "", "src/main.py": app },
      ["src.main:app in ., FastAPI"],
    ],
    [
      "no app that a docstring shows",
      { "app/main.py": app, "app/extra.py": `"""Use it so:\n\n${app}"""\nnone = '''\n${app}'''\n` },
      ["app.main:app in ., FastAPI"],
    ],
    [
      "a project in a folder",
      { "backend/pyproject.toml": "", "backend/app/main.py": app, "README.md": "" },
      ["app.main:app in backend, FastAPI"],
    ],
    [
      "a package with a module called setup",
      { "pyproject.toml": "", "src/shop/__init__.py": "", "src/shop/setup.py": "", "src/shop/web.py": app },
      ["shop.web:app in ., FastAPI"],
    ],
    [
      "a source folder of a project in a folder",
      { "services/a/uv.lock": "", "services/a/src/a/main.py": app },
      ["a.main:app in services/a, FastAPI"],
    ],
    [
      "several",
      { "b.py": "api = fastapi.FastAPI()\n", "a.py": "app: FastAPI = FastAPI(\n    debug=True)\n" },
      ["a:app in ., FastAPI", "b:api in ., FastAPI"],
    ],
    [
      "what pyproject.toml names, before all others",
      {
        "main.py": app,
        "pyproject.toml": '[project]\nname = "x"\n\n[tool.fastapi]\n# ours\nentrypoint = "shop.web:api"\n',
      },
      ["shop.web:api in ., FastAPI"],
    ],
    [
      "an entry point of another tool",
      { "pyproject.toml": '[tool.fastapi]\n[tool.other]\nentrypoint = "a:b"\n', "main.py": app },
      ["main:app in ., FastAPI"],
    ],
    [
      "an app in the branches of a module",
      { "main.py": "if settings.debug:\n    app = FastAPI(debug=True)\nelse:\n    app = FastAPI()\n" },
      ["main:app in ., FastAPI"],
    ],
    [
      "a function without a type that makes one",
      {
        "main.py": "def create_app(settings=None):\n    # ours\n\n    app = FastAPI()\n    return app\n",
        "other.py": "def get_app():\n    return app\n\ndef create_app(name):\n    app = FastAPI()\n",
      },
      ["main:create_app() in ., FastAPI"],
    ],
    ["an app that a function made", { "main.py": "app = create_app()\n" }, ["main:app in ., app"]],
    ...["creator.app", "Creator(settings).app", "Creator().get_app()", "holder._app"].map(
      (maker): Case => [
        `an app that an object made: ${maker}`,
        { "main.py": `creator = Creator()\napp = ${maker}\n` },
        ["main:app in ., app"],
      ],
    ),
    ["nothing of an object of another kind", { "main.py": "app = creator.db\napi = creator.app.db\n" }, []],
    [
      "an app of Django's",
      { "manage.py": "", "site/asgi.py": "application = get_asgi_application()\n" },
      ["site.asgi:application in ., Django"],
    ],
    [
      "functions, where no module holds an app",
      {
        "a.py": "def create_app() -> FastAPI:\n    app = FastAPI()\n    return app\n",
        "b.py": "def make(debug: bool = False, *, x=1) -> 'fastapi.FastAPI':\n    ...\n",
        "c.py": "def needs(settings: Settings) -> FastAPI:\n    ...\n",
      },
      ["a:create_app() in ., FastAPI", "b:make() in ., FastAPI"],
    ],
    [
      "the function that calls the other ones",
      {
        "web.py":
          "def init_app() -> FastAPI:\n    app = FastAPI()\n    return app\n\ndef create_app() -> FastAPI:\n    app = init_app()\n    return app\n\nasync def run():\n    create_app()\n",
      },
      ["web:create_app() in ., FastAPI"],
    ],
    [
      "no function where a module holds an app",
      { "a.py": "def create_app() -> FastAPI:\n    ...\n", "b.py": "app = create_app()\n" },
      ["b:app in ., app"],
    ],
    [
      "the app of each service, whichever way it says so",
      {
        "services/bills/pyproject.toml": '[tool.fastapi]\nentrypoint = "bills:app"\n',
        "services/bills/bills.py": app,
        "services/bills/old/requirements.txt": "",
        "services/bills/old/old.py": app,
        "services/shop/requirements.txt": "",
        "services/shop/shop/main.py": app,
        "services/shop/shop/make.py": "def create_app() -> FastAPI:\n    ...\n",
        "services/mail/setup.py": "",
        "services/mail/mail.py": "def create_app() -> FastAPI:\n    ...\n",
        "look.py": app,
      },
      [
        "bills:app in services/bills, FastAPI",
        "mail:create_app() in services/mail, FastAPI",
        "shop.main:app in services/shop, FastAPI",
      ],
    ],
    [
      "what the repository's own project names, before those in its folders",
      {
        "pyproject.toml": '[tool.fastapi]\nentrypoint = "main:app"\n',
        "tools/mock/requirements.txt": "",
        "tools/mock/mock.py": app,
      },
      ["main:app in ., FastAPI"],
    ],
    ["other frameworks", { "a.py": "app = Litestar([index])\n" }, ["a:app in ., Litestar"]],
    ["nothing inside of functions", { "a.py": "def f():\n    app = FastAPI()\n" }, []],
    ["nothing", { "a.txt": app }, []],
  ])("finds %s", ([, files, expected]) => {
    const told = found(files).map(
      ({ importString, folder, framework }) => `${importString} in ${folder}, ${framework}`,
    );
    expect(told).toEqual(expected);
  });
});
