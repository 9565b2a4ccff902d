import { expect, test } from "vitest";

import type { FoundApp } from "../../../src/core/finding/apps.ts";
import { chooseApp } from "../../../src/core/init/choice.ts";
import { parseInit } from "../../../src/core/init/initialisation.ts";

const app = (importString: string, folder = "."): FoundApp => ({
  importString,
  folder,
  framework: "FastAPI",
});
const asked = (name?: string, folder?: string) => ({ app: name, appFolder: folder, overwrites: false });
const two = [app("shop:app", "a"), app("bills:app", "b")];

test.for<
  readonly [found: FoundApp[], name: string | undefined, folder: string | undefined, expected: FoundApp]
>([
  [[app("a:b")], undefined, undefined, app("a:b")],
  [two, undefined, "b", app("bills:app", "b")],
  [two, "shop:app", undefined, app("shop:app", "a")],
  [two, "other:app", "c", app("other:app", "c")],
  [[], "other:app", undefined, app("other:app")],
])("of %j, with %s in %s", ([found, name, folder, expected]) => {
  expect(chooseApp(found, asked(name, folder))).toEqual(expected);
});

test.for<readonly [found: FoundApp[], name: string | undefined, folder: string | undefined, message: RegExp]>(
  [
    [[], undefined, undefined, /no module with an app, such as app = FastAPI\(\); name it with --app$/m],
    [[], undefined, "x", /such as app = FastAPI\(\), in x; name it/],
    [two, undefined, "x", /in x; name it with --app: --app shop:app --app-folder a, or --app bills:app/],
    [
      two,
      undefined,
      undefined,
      /there are several; say which one: --app shop:app --app-folder a, or --app bills:app --app-folder b/,
    ],
  ],
)("of %j, with %s in %s, says what to do", ([found, name, folder, message]) => {
  expect(() => chooseApp(found, asked(name, folder))).toThrow(message);
});

test.for<readonly [words: string, expected: ReturnType<typeof parseInit>]>([
  ["", { app: undefined, appFolder: undefined, overwrites: false }],
  ["--app a:b --app-folder=c --overwrite true", { app: "a:b", appFolder: "c", overwrites: true }],
  ["--overwrite yes", '--overwrite: must be true or false (got "yes")'],
  ["--app", "--app needs a value"],
  ["x", '"x" is not an option of init; known are --app, --app-folder, --overwrite'],
  ["--force=true", '"--force=true" is not an option of init; known are --app, --app-folder, --overwrite'],
])("init %s", ([words, expected]) => {
  expect(parseInit(words.split(" ").filter((word) => word !== ""))).toEqual(expected);
});
