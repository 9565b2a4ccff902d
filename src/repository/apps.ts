import type { FoundApp } from "../model/workload/workload.ts";
import { appClasses } from "./frameworks.ts";
import { lockFiles } from "./lock-files.ts";

/** A Python file or a project's own files, by their path below the searched folder. */
export interface SourceFile {
  /** With slashes, e.g. `backend/app/main.py`. */
  readonly path: string;
  readonly text: string;
}

export const projectFiles: readonly string[] = [
  "pyproject.toml",
  ...lockFiles,
  "requirements.txt",
  "requirements.in",
  "Pipfile",
  "setup.py",
  "manage.py",
];

/** At the start of a line, so it belongs to the module itself. */
const instance = new RegExp(`^(\\w+)\\s*(?::[^=\\n]+)?=\\s*(?:\\w+\\.)?(${appClasses})\\(`, "gm");
/** In a branch of the module itself. */
const branched = new RegExp(
  `^(?:if|elif|else|try)\\b[^\\n]*:[ \\t\\r]*\\n(?:[ \\t]+[^\\s][^\\n]*\\n|[ \\t\\r]*\\n){0,20}?[ \\t]+(\\w+)\\s*(?::[^=\\n]+)?=\\s*(?:\\w+\\.)?(${appClasses})\\(`,
  "gm",
);
const made =
  /^((?:\w+_)?(?:app|api|application))\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(?:create|make|get|build|init)_(?:app|application|api)\(/gm;
/** An object of the repository's own makes it: `creator.app`, `Creator().get_app()`. */
const kept =
  /^((?:\w+_)?(?:app|api|application))\s*(?::[^=\n]+)?=\s*\w+(?:\([^()\n]*\))?\.(?:_?(?:app|application|api)[ \t\r]*$|(?:create|make|get|build|init)_(?:app|application|api)\()/gm;
const django = /^(application)\s*=\s*(get_asgi_application)\(/gm;
const factory = new RegExp(
  `^def (\\w+)\\(([^()]*)\\)\\s*->\\s*["']?(?:\\w+\\.)?(${appClasses})["']?\\s*:`,
  "gm",
);
/** Without a type, so its name must show it, and its body must make one. */
const untyped = new RegExp(
  `^def ((?:create|make|get|build|init)_(?:app|application|api))\\(([^()]*)\\)\\s*:[ \\t\\r]*\\n(?:[ \\t]+[^\\s][^\\n]*\\n|[ \\t\\r]*\\n){0,60}?[ \\t]+\\w+\\s*(?::[^=\\n]+)?=\\s*(?:\\w+\\.)?(${appClasses})\\(`,
  "gm",
);
const entrypoint = /^\[tool\.fastapi\][ \t\r]*$(?:\n(?!\[).*)*?\nentrypoint\s*=\s*["']([\w.]+:\w+)["']/m;

const subclass = new RegExp(`^class (\\w+)\\((?:\\w+\\.)?(${appClasses})\\)`, "gm");

/** A program that serves the app of a module. */
const served = /\buvicorn\.run\(\s*(?:app\s*=\s*)?["']([\w.]+):\w+["']/;

/** A docstring may show how an app is made. */
const longText = /("""|''')[\s\S]*?\1/g;

/**
 * Finds possible apps, for each project by itself: the one that its pyproject.toml names for `fastapi run`, else module
 * variables that hold an app, else functions without arguments that return one. In order of path.
 */
export function findApps(files: readonly SourceFile[]): readonly FoundApp[] {
  const packages = new Set(
    files.filter(({ path }) => nameOf(path) === "__init__.py").map(({ path }) => folderOf(path)),
  );
  const isProject = ({ path }: SourceFile) =>
    isProjectFile(path) && !(isSetup(path) && packages.has(folderOf(path)));
  const projects = new Set(files.filter(isProject).map(({ path }) => folderOf(path)));
  const modules = files.filter(({ path }) => path.endsWith(".py"));
  const isPackage = packagesIn(modules);
  const ofClass = withSubclasses(modules);
  const places = modules.map((file) => ({
    ...file,
    text: ofClass(file.text.replaceAll(longText, "")),
    ...placeOf(file.path, projects, isPackage),
  }));
  const named = files.flatMap((file) => namedIn(file));
  const own = places.filter((place) => !servesAnother(place, places));
  const held = own.flatMap((place) => heldIn(place.text).map((each) => appOf(each, place)));
  // A second one of the same factory, as a worker has, comes after one with the usual name.
  const isUsual = ({ importString, framework }: AppInFile) =>
    framework !== "app" || !/:\w+_/.test(importString);
  const [usual, longer] = [held.filter(isUsual), held.filter((each) => !isUsual(each))];
  const factories = own.flatMap((place) => factoriesIn(place.text).map((each) => appOf(each, place)));
  const found = [usual, longer, factories].reduce(withWeaker, named);
  return found
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ importString, folder, framework }) => ({ importString, folder, framework }));
}

/** True for a program that serves the app of another module: one of its own is a remnant. */
function servesAnother({ path, text }: SourceFile, files: readonly SourceFile[]): boolean {
  const [, module] = served.exec(text) ?? [];
  if (module === undefined) return false;
  const folder = folderOf(path) === "." ? "" : `${folderOf(path)}/`;
  const other = `${folder}${module.replaceAll(".", "/")}.py`;
  const hasApp = (file: SourceFile) => [heldIn, factoriesIn].some((appsIn) => appsIn(file.text).length > 0);
  return other !== path && files.some((file) => file.path === other && hasApp(file));
}

/** Calls of the repository's own subclasses, as if they were of the class itself. */
function withSubclasses(modules: readonly SourceFile[]): (text: string) => string {
  const own = new Map(
    modules.flatMap(({ text }) =>
      [...text.matchAll(subclass)].map(([, name = "", framework = ""]) => [name, framework]),
    ),
  );
  if (own.size === 0) return (text) => text;
  return (text) => text.replaceAll(/\b\w+(?=\()/g, (name) => own.get(name) ?? name);
}

type AppInFile = FoundApp & Pick<SourceFile, "path">;

/** Adds apps by a weaker sign, outside of the projects and folders of known ones. */
function withWeaker(known: readonly AppInFile[], weaker: readonly AppInFile[]): readonly AppInFile[] {
  if (known.length === 0) return weaker;
  const folders = new Set(known.map(({ folder }) => folder));
  const isOther = ({ folder }: AppInFile) =>
    folder !== "." && !foldersAround(folder).some((each) => folders.has(each));
  return [...known, ...weaker.filter(isOther)];
}

function foldersAround(folder: string): readonly string[] {
  return folder === "." ? ["."] : [folder, ...foldersAround(folderOf(folder))];
}

function namedIn({ path, text }: SourceFile): readonly AppInFile[] {
  if (path.split("/").at(-1) !== "pyproject.toml") return [];
  const [, importString] = entrypoint.exec(text) ?? [];
  if (importString === undefined) return [];
  return [{ path, importString, folder: folderOf(path), framework: "FastAPI" }];
}

interface Held {
  readonly name: string;
  readonly framework: string;
}

function heldIn(text: string): readonly Held[] {
  const instances = [instance, branched].map((each) =>
    [...text.matchAll(each)].map(([, name = "", framework = ""]) => ({ name, framework })),
  );
  const held = instances.find((each) => each.length > 0);
  if (held !== undefined)
    return held.filter(({ name }, index) => held.findIndex((each) => each.name === name) === index);
  for (const weaker of [made, kept]) {
    const others = [...text.matchAll(weaker)].map(([, name = ""]) => ({ name, framework: "app" }));
    if (others.length > 0) return others;
  }
  return [...text.matchAll(django)].map(([, name = ""]) => ({ name, framework: "Django" }));
}

function factoriesIn(text: string): readonly Held[] {
  const found = [...text.matchAll(factory), ...text.matchAll(untyped)]
    .filter(([, , parameters = ""]) => parameters.split(",").every((each) => /^\s*$|=|^\s*\*/.test(each)))
    .map(([, name = "", , framework = ""]) => ({ name, framework }));
  // What another one of them calls is a part of that app.
  const blocks = text.split(/^(?=(?:async )?def |class )/m);
  const isPart = ({ name }: Held) =>
    found.some((other) =>
      blocks.some(
        (block) =>
          other.name !== name && block.startsWith(`def ${other.name}(`) && block.includes(` ${name}(`),
      ),
    );
  return found
    .filter((each) => !isPart(each))
    .map(({ name, framework }) => ({ name: `${name}()`, framework }));
}

interface Place {
  readonly path: string;
  readonly module: string;
  readonly folder: string;
}

function appOf({ name, framework }: Held, { path, module, folder }: Place): AppInFile {
  return { path, importString: `${module}:${name}`, folder, framework };
}

/** True when modules import from a folder `src` itself. */
type IsPackage = (folder: string) => boolean;

function placeOf(path: string, projects: ReadonlySet<string>, isPackage: IsPackage): Omit<Place, "path"> {
  const folder = projectOf(path, projects);
  const inside = folder === "." ? path : path.slice(folder.length + 1);
  const isInSource = inside.startsWith("src/") && !isPackage(join(folder, "src"));
  const words = (isInSource ? inside.slice("src/".length) : inside).replace(/(^|\/)__init__\.py$|\.py$/, "");
  return { module: importable(words).replaceAll("/", "."), folder };
}

/** What Python can import of a path: a folder whose name is no word of it has to be on the path to search. */
function importable(path: string): string {
  const parts = path.split("/");
  return parts.slice(1 + parts.findLastIndex((part) => !/^[A-Za-z_]\w*$/.test(part))).join("/") || path;
}

/** True when modules import from `src` itself (`from src.items import ...`). */
function packagesIn(modules: readonly SourceFile[]): IsPackage {
  const known = new Map<string, boolean>();
  return (folder) => {
    const isPackage =
      known.get(folder) ??
      modules.some(
        ({ path, text }) =>
          path === `${folder}/__init__.py` ||
          (path.startsWith(`${folder}/`) && /^[ \t]*(?:from|import) src[. ]/m.test(text)),
      );
    known.set(folder, isPackage);
    return isPackage;
  };
}

function projectOf(path: string, projects: ReadonlySet<string>): string {
  let folder = folderOf(path);
  while (folder !== "." && !projects.has(folder)) folder = folderOf(folder);
  return folder;
}

function isProjectFile(path: string): boolean {
  return projectFiles.includes(nameOf(path));
}

/** Within a package it is a module like any other. */
function isSetup(path: string): boolean {
  return nameOf(path) === "setup.py";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

function join(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}
