import { afterEach, expect, test, vi } from "vitest";

import { userHome, userName } from "../../../src/adapters/process/index.ts";

vi.mock("node:os", async (original) => {
  const unknown = () => {
    throw new Error("ENOENT: no such file or directory, uv_os_homedir");
  };
  return { ...(await original<object>()), homedir: unknown, userInfo: unknown };
});
afterEach(() => vi.unstubAllEnvs());

test("a user without a name and a home has one among temporary files", () => {
  vi.stubEnv("HOME", undefined);
  expect(userName()).toBe(`${process.getuid?.()}`);
  expect(userHome()).toMatch(new RegExp(`/fastapi-loadtest-home-${process.getuid?.()}$`));
  expect(userHome({ HOME: "/home/octo" })).toBe("/home/octo");
});
