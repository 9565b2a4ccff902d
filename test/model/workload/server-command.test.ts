import * as fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../../src/errors/errors.ts";
import {
  checkServerTemplate,
  serverArgv,
  serverChoices,
  workersVariable,
} from "../../../src/model/workload/server-command.ts";

const values = { app: "app.main:app", host: "127.0.0.1", port: 8123, workers: 2 };

test.for<[template: string, argv: readonly string[]]>([
  ["uvicorn {app} --port {port}", ["uvicorn", "app.main:app", "--port", "8123"]],
  ["uvicorn  {app}\t--port={port} ", ["uvicorn", "app.main:app", "--port=8123"]],
  [
    "gunicorn -w {workers} -b {host}:{port} '{app}'",
    ["gunicorn", "-w", "2", "-b", "127.0.0.1:8123", "app.main:app"],
  ],
  [`serve "a b" '' --port {port}`, ["serve", "a b", "", "--port", "8123"]],
  ["serve $HOME `id` a;b *.py {port}", ["serve", "$HOME", "`id`", "a;b", "*.py", "8123"]],
  ["serve {what} {port}", ["serve", "{what}", "8123"]],
  [`serve --config '{"a": 1}' {port}{port}`, ["serve", "--config", '{"a": 1}', "81238123"]],
])("splits and fills %j", ([template, argv]) => {
  expect(serverArgv(template, values)).toEqual(argv);
});

test("a value stays one word and is not filled again", () => {
  fc.assert(
    fc.property(fc.string(), (app) => {
      expect(serverArgv("uvicorn {app} {port}", { ...values, app })).toEqual(["uvicorn", app, "8123"]);
    }),
  );
  expect(serverArgv("uvicorn {app} {port}", { ...values, app: "{port} $&" })[1]).toBe("{port} $&");
});

test.for<[template: string, argv: readonly string[]]>([
  ["uvicorn {app} --port {port}", ["uvicorn", "shop:create_app", "--port", "8123", "--factory"]],
  ["uvicorn --factory {app} {port}", ["uvicorn", "--factory", "shop:create_app", "8123"]],
  ["python -m granian {app} {port}", ["python", "-m", "granian", "shop:create_app", "8123", "--factory"]],
  ["gunicorn {app} -b :{port}", ["gunicorn", "shop:create_app()", "-b", ":8123"]],
  ["hypercorn {app} -b :{port}", ["hypercorn", "shop:create_app()", "-b", ":8123"]],
])("tells a server that the app is made by a function: %j", ([template, argv]) => {
  expect(serverArgv(template, { ...values, app: "shop:create_app()" })).toEqual(argv);
});

test.for<[template: string, problems: readonly string[]]>([
  ["uvicorn {app} --port {port}", []],
  [" ", [`the server command is empty; write e.g. "uvicorn {app} --port {port}"`]],
  ["uvicorn {app}", [`no {port} in the server command "uvicorn {app}"; it says where to listen`]],
  [
    "uvicorn {ap} {wrokers} {port}",
    [
      "unknown placeholder {ap} in the server command; choose from {app}, {host}, {port}, {workers}",
      "unknown placeholder {wrokers} in the server command; choose from {app}, {host}, {port}, {workers}",
    ],
  ],
  [`serve "it's" 'x {port}`, [`a quote is not closed in the server command "serve "it's" 'x {port}"`]],
])("checks %j", ([template, problems]) => {
  expect(checkServerTemplate(template)).toEqual(problems);
});

test("a template without a word gives no command", () => {
  expect(() => serverArgv(" ", values)).toThrow(InputError);
});

const installed = { uvloop: "0.21.0", httptools: "0.6.4" };

test.for<[command: string, packages: Record<string, string>, eventLoop: string, httpParser: string]>([
  ["uvicorn a:b --port {port}", {}, "asyncio", "h11"],
  ["uvicorn a:b --port {port}", installed, "uvloop", "httptools"],
  ["/env/bin/uvicorn a:b --loop asyncio --http=h11 --port {port}", installed, "asyncio", "h11"],
  ["python -m uvicorn a:b --loop asyncio --loop auto --port {port}", installed, "uvloop", "httptools"],
  ["uvicorn a:b --port {port} --loop", installed, "uvloop", "httptools"],
  ["gunicorn a:b -b :{port}", installed, "", ""],
])("event loop and HTTP parser of %j", ([command, packages, eventLoop, httpParser]) => {
  expect(serverChoices(serverArgv(command, values), packages)).toEqual({ eventLoop, httpParser });
});

test.for<[command: string, variables: Record<string, string>]>([
  ["uvicorn a:b --port {port}", { WEB_CONCURRENCY: "2" }],
  ["python -m gunicorn a:b -b :{port}", { WEB_CONCURRENCY: "2" }],
  ["uvicorn a:b --port {port} --workers {workers}", {}],
  ["python main.py {port}", {}],
])("the variable for the workers of %j", ([command, variables]) => {
  expect(workersVariable(command, 2)).toEqual(variables);
});
