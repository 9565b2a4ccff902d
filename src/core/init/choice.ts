import { InputError } from "../errors.ts";
import type { FoundApp } from "../finding/apps.ts";
import type { Initialisation } from "./initialisation.ts";

/** The app that was asked for, or the only one. Throws an `InputError` that names all of them when it cannot be told. */
export function chooseApp(found: readonly FoundApp[], { app, appFolder }: Initialisation): FoundApp {
  const fit = found.filter(
    (each) =>
      (app === undefined || each.importString === app) &&
      (appFolder === undefined || each.folder === appFolder),
  );
  const [first, ...others] = fit;
  if (first !== undefined && others.length === 0) return first;
  if (app !== undefined && fit.length === 0)
    return { importString: app, folder: appFolder ?? ".", framework: "FastAPI" };
  const named = (fit.length === 0 ? found : fit)
    .slice(0, 10)
    .map(({ importString, folder }) => `--app ${importString} --app-folder ${folder}`);
  const problem =
    first === undefined
      ? `there is no module with an app, such as app = FastAPI()${appFolder === undefined ? "" : `, in ${appFolder}`}; name it with --app`
      : "there are several; say which one";
  throw new InputError([`app: ${problem}${named.length === 0 ? "" : `: ${named.join(", or ")}`}`]);
}
