import { expect, test } from "vitest";

import {
  fitsPython,
  wishOfImage,
  wishOfPipfile,
  wishOfVersionFile,
} from "../../src/repository/python-version.ts";

test.for<readonly [wish: string, fitting: readonly string[], others: readonly string[]]>([
  ["3.12", ["3.12.0", "3.12.9"], ["3.11.9", "3.1.2", "3.13.0"]],
  ["3.12.4", ["3.12.4"], ["3.12.3"]],
  [">=3.10", ["3.10.0", "3.14.1"], ["3.9.18"]],
  [">=3.10,<3.13", ["3.12.9"], ["3.13.0", "3.9.1"]],
  [">3.11, <=3.12.1", ["3.11.1", "3.12.1"], ["3.11.0", "3.12.2"]],
  ["~=3.11", ["3.11.0", "3.12.1"], ["3.10.9", "4.0.0"]],
  ["~=3.11.2", ["3.11.2"], ["3.11.1", "3.12.0"]],
  ["==3.11.*", ["3.11.7"], ["3.12.0"]],
  ["!=3.11.*", ["3.12.0"], ["3.11.7"]],
  [">=3.9,!=3.9.0", ["3.9.1"], ["3.9.0"]],
  ["^3.11", ["3.11.0", "3.13.2"], ["3.10.1", "4.0.0"]],
  ["~3.11", ["3.11.7"], ["3.12.0"]],
  ["~3", ["3.12.0"], ["4.0.0"]],
  ["3.10.* || ^3.12", ["3.10.4", "3.13.0"], ["3.11.1"]],
  ["*", ["3.8.0"], []],
  ["pypy", [], ["3.12.0"]],
])("%s", ([wish, fitting, others]) => {
  for (const version of fitting) expect(fitsPython(version, wish), version).toBe(true);
  for (const version of others) expect(fitsPython(version, wish), version).toBe(false);
});

test.for<readonly [text: string, wish: string | undefined]>([
  ["3.12\n", "3.12"],
  ["# ours\n\n3.11.7\n3.10\n", "3.11.7"],
  ["cpython-3.13-linux-x86_64-gnu", "3.13"],
  ["pypy3.10", undefined],
  ["", undefined],
])("of the file %j", ([text, wish]) => {
  expect(wishOfVersionFile(text)).toBe(wish);
});

test.for<readonly [image: string, version: string | undefined]>([
  ["FROM python:3.12-slim\n", "3.12"],
  ["FROM node:20 AS web\nFROM --platform=linux/amd64 docker.io/library/python:3.11.4 AS app\n", "3.11"],
  [`ARG VERSION="3.13"\nFROM python:\${VERSION}-slim\n`, "3.13"],
  ["FROM ghcr.io/astral-sh/uv:python3.13-bookworm\n", "3.13"],
  ["FROM tiangolo/uvicorn-gunicorn-fastapi:python3.9\n", "3.9"],
  ["FROM python:3-slim\nFROM python:latest\n", undefined],
  ["FROM python:$NO_SUCH\n# FROM python:3.9\n", undefined],
  ["", undefined],
])("of the image %j", ([image, version]) => {
  expect(wishOfImage(image)).toBe(version);
});

test.for<readonly [pipfile: string, version: string | undefined]>([
  ['[requires]\npython_version = "3.11"\n', "3.11"],
  ["[packages]\nx = '*'\n\n[requires]\n# as in the image\npython_version='3.9'\n", "3.9"],
  ['[requires]\n[dev]\npython_version = "3.11"\n', undefined],
  ["", undefined],
])("a Pipfile asks for its version: case %#", ([pipfile, version]) => {
  expect(wishOfPipfile(pipfile)).toBe(version);
});
