import { expect, test } from "vitest";

import { userHome, userName } from "../../../src/adapters/process/index.ts";

const unknown = () => {
  throw new Error("ENOENT: no such file or directory, uv_os_homedir");
};
const system = { homedir: unknown, userInfo: unknown };

test("a user without a name and a home has one among temporary files", () => {
  expect(userName(system)).toBe(`${process.getuid?.()}`);
  expect(userHome({}, system)).toMatch(new RegExp(`/fastapi-loadtest-home-${process.getuid?.()}$`));
  expect(userHome({ HOME: "/home/octo" }, system)).toBe("/home/octo");
});
