import { expect, test } from "vitest";

import { missingPackageIn, reasonIn, unbuiltIn, withUnbuilt } from "../../src/repository/install-failure.ts";

test("code that could not be fetched says nothing about its build", () => {
  const log =
    "Failed to build `thing @ git+https://x`\nfatal: unable to access 'https://x/': Could not resolve host: x";
  expect(unbuiltIn(log)).toBeUndefined();
});

test.for<readonly [tool: string, log: string, reason: string]>([
  [
    "pip, which finds no version",
    "Collecting a\nERROR: Could not find a version that satisfies the requirement a==9\nERROR: No matching distribution",
    "ERROR: Could not find a version that satisfies the requirement a==9",
  ],
  [
    "pip, which cannot build",
    "  error: subprocess-exited-with-error\n  ╰─> [3 lines of output]\n      ModuleNotFoundError: No file/folder found for package a\n  note: This error originates from a subprocess\nERROR: Could not build wheels",
    "ModuleNotFoundError: No file/folder found for package a",
  ],
  [
    "Poetry",
    "Installing a\n    | \n    | Unable to find installation candidates for a (1.2.0)\n    | Solutions:",
    "Unable to find installation candidates for a (1.2.0)",
  ],
  [
    "uv",
    "Resolved\n  × No solution found when resolving dependencies:",
    "No solution found when resolving dependencies:",
  ],
  [
    "uv, which says what excludes what",
    "  × No solution found when resolving dependencies:\n  ╰─▶ Because a==0.23.4 depends on b>=7.0.0,<8 and\n      you require b==8.0.0, we can conclude that your\n      requirements are unsatisfiable.\n\nhint: x",
    "No solution found when resolving dependencies: Because a==0.23.4 depends on b>=7.0.0,<8 and you require b==8.0.0, we can conclude that your requirements are unsatisfiable.",
  ],
  [
    "pip after uv, which says it in fewer words",
    "  × No solution found when resolving dependencies:\n  ╰─▶ Because a==0.23.4 is bad.\nERROR: Cannot install\n\nThe conflict is caused by:\n    The user requested b==8.0.0\n    a 0.23.4 depends on b<8 and >=7.0.0\n\nTo fix this you could try to:",
    "No solution found when resolving dependencies: The user requested b==8.0.0; a 0.23.4 depends on b<8 and >=7.0.0",
  ],
  [
    "uv, which cannot reach a host",
    "error: Failed to download `a==1`\n  cause: Request failed after 3 retries in 4.4s\n  cause: Failed to fetch: https://mirror.example/a.whl\n  cause: dns error\n\nhint: x",
    "error: Failed to download `a==1` (mirror.example: dns error)",
  ],
  [
    "uv, which says so last",
    "error: Failed to fetch\n  Caused by: http://mirror.example:1/a\n  Caused by: refused",
    "error: Failed to fetch (mirror.example: refused)",
  ],
  ["an installer with nothing to say", "", ""],
  [
    "uv, which cannot build a package",
    "Resolved 2 packages\n  × Failed to build `python-ldap==3.4.4`\n  ├─▶ The build backend returned an error\n  ╰─▶ Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)\n\n      [stderr]\n      Modules/common.h:15:10: fatal error: lber.h: No such file or directory\n      error: command '/usr/bin/gcc' failed with exit code 1\n",
    "python-ldap could not be built: Modules/common.h:15:10: fatal error: lber.h: No such file or directory; on Debian and Ubuntu: apt-get install libldap2-dev libsasl2-dev",
  ],
  [
    "pip, which cannot build a package",
    "  error: subprocess-exited-with-error\n  × Building wheel for pg_thing (pyproject.toml) did not run successfully.\n  Error: pg_config executable not found.\n  ERROR: Failed building wheel for pg_thing\nFailed to build pg_thing\n",
    "pg_thing could not be built: Error: pg_config executable not found; on Debian and Ubuntu: apt-get install libpq-dev",
  ],
  [
    "uv, which cannot build the project itself",
    "  × Failed to build `shop @ file:///tmp/x`\n  ╰─▶ Call failed\n      ValueError: no version",
    "shop could not be built: ValueError: no version",
  ],
  [
    "a build without a reason",
    "Failed to build `odd==1`",
    "odd could not be built: its build gave no reason",
  ],
  [
    "pip, which meets a package of Windows",
    "ERROR: Could not find a version that satisfies the requirement pywin32==306\nERROR: No matching distribution found for pywin32==306\n",
    "pywin32 could not be built: it is for Windows only",
  ],
  ["one that only says that it failed", "start\nit failed here\nbye", "it failed here"],
  ["one of few words", "one\ntwo\n", "two"],
  ["one of none", "", ""],
])("an installer's log says why: %s", ([, log, reason]) => {
  expect(reasonIn(log)).toBe(reason);
});

test.for<[what: string, said: string, leftOut: string[] | undefined, expected: string]>([
  [
    "a module that is missing",
    "ModuleNotFoundError: No module named 'ldap'",
    ["python-ldap", "thing"],
    "ModuleNotFoundError: No module named 'ldap'; python-ldap could not be built here (no lber.h), thing could not be built here (no lber.h)",
  ],
  ["a module that is missing without any left out", "ImportError: ldap", [], "ImportError: ldap"],
  ["a module that is missing where nothing was made", "ImportError: ldap", undefined, "ImportError: ldap"],
  ["something else", "KeyError: 'ldap'", ["python-ldap"], "KeyError: 'ldap'"],
])("packages that were left out are named with %s", ([, said, leftOut, expected]) => {
  const unbuilt = leftOut?.map((name) => ({ name, reason: "no lber.h" }));
  expect(withUnbuilt(said, unbuilt)).toBe(expected);
});

test.for([
  ["No file/folder found for package shop-backend.api", "shop_backend_api"],
  ["No file/folder found for package ../escape", undefined],
  ["another reason", undefined],
] as const)("the package that a project lacks: %s", ([said, expected]) => {
  expect(missingPackageIn(`  poetry.core.masonry.utils.module.ModuleOrPackageNotFoundError: ${said}\n`)).toBe(
    expected,
  );
});
