import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { lackingWheels, lockFiles } from "../../repository/lock-files.ts";
import {
  fitsPython,
  type PythonWish,
  wishOfImage,
  wishOfPipfile,
  wishOfProject,
  wishOfVersionFile,
} from "../../repository/python-version.ts";
import { textOfPlainFile, userHome } from "../process/index.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";
import { fetchOnce, isWishForUv, readOnce } from "./uv-python.ts";

const newestMinor = 15;
const oldestMinor = 9;

/** Path of uv, which is installed with this Python if need be; `undefined` when it cannot be had. */
type GetUv = (python: PythonFacts) => Promise<string | undefined>;

/** The Python for an environment: for `auto`, the first of this machine's that fits the repository's wish. */
export async function choosePython(
  wanted: string,
  appFolder: string,
  signal: AbortSignal,
  tell: (text: string) => void = () => undefined,
  getUv: GetUv = async () => undefined,
): Promise<PythonFacts> {
  if (wanted !== "auto") return await readPython(wanted, signal);
  const first = await readOnce("python3", signal);
  const wish = findWish(appFolder);
  const broader = wishOfFolder(appFolder);
  const fits = ({ version }: PythonFacts) =>
    [wish, broader].every((each) => each === undefined || fitsPython(version, each.text));
  const lock = lockOf(appFolder);
  const lackingOf = ({ version }: PythonFacts) =>
    lock === undefined ? 0 : lackingWheels(lock.text, minorOf({ version }));
  const asInImage = await pythonOfImage(appFolder, first, wish, signal);
  // An image may build what this machine cannot.
  if (asInImage !== undefined && lackingOf(asInImage) <= lackingOf(first)) {
    const { version, said } = asInImage;
    const image = "the app's image or Pipfile";
    const isSame = fitsPython(version, said);
    const why = isSame ? `as in ${image}` : `the oldest supported version, because ${image} has ${said}`;
    tell(`using Python ${version}, ${why}`);
    return asInImage;
  }
  const fitsFirst = fits(first);
  if (fitsFirst && lackingOf(first) === 0) return first;
  let best = fitsFirst ? first : undefined;
  for (const candidate of candidates()) {
    const python = await readIfThere(candidate, signal);
    if (python === undefined || !fits(python)) continue;
    if (best !== undefined && minorOf(python) < oldestMinor) continue;
    if (best === undefined || lackingOf(python) < lackingOf(best)) best = python;
    if (lackingOf(best) === 0) break;
  }
  if (best !== undefined) {
    if (lock !== undefined && fitsFirst && best !== first)
      tell(`using Python ${best.version}: ${lock.name} has more wheels for it than for ${first.version}`);
    return best;
  }
  const uv = wish !== undefined && isWishForUv(wish.text) ? await getUv(first) : undefined;
  const fetched = uv && wish && (await fetchOnce(uv, wish.text, signal, tell));
  const got = fetched === undefined ? undefined : await readPython(fetched, signal);
  if (got !== undefined && fits(got)) return got;
  // A developer's version is no need: the project may accept another one.
  for (const candidate of broader === undefined ? [] : ["python3", ...candidates()]) {
    const python = await readIfThere(candidate, signal);
    if (python === undefined || broader === undefined || !fitsPython(python.version, broader.text)) continue;
    tell(
      `using Python ${python.version}, which ${broader.file} allows, because no ${wish?.text} that it allows is installed here`,
    );
    return python;
  }
  const tried = uv === undefined ? "" : " and uv could not get one";
  const reason = `${wish?.file} requires Python ${wish?.text}, but this machine has ${first.version}`;
  throw new EnvironmentError(
    "install",
    `${reason}${tried}; add actions/setup-python before this step, or choose a Python with the \`python\` input`,
  );
}

/** Another Python, of the version that the app's image or Pipfile has; the wish must allow it. */
async function pythonOfImage(
  appFolder: string,
  first: PythonFacts,
  wish: PythonWish | undefined,
  signal: AbortSignal,
): Promise<(PythonFacts & { readonly said: string }) | undefined> {
  const [ofImage] = imagesOf(appFolder).flatMap((text) => wishOfImage(text) ?? []);
  const said = ofImage ?? wishOfPipfile(textOf(join(appFolder, "Pipfile")));
  const version = said && `3.${Math.max(minorOf({ version: said }), oldestMinor)}`;
  if (said === undefined || version === undefined || fitsPython(first.version, version)) return undefined;
  // Developers' versions, and one that a step of the job has set up, are said where they count.
  const isSetUp = process.env["pythonLocation"] !== undefined;
  if (isSetUp || (wish !== undefined && !wish.file.endsWith("pyproject.toml"))) return undefined;
  for (const candidate of candidates()) {
    if (!candidate.includes(version)) continue;
    const python = await readIfThere(candidate, signal);
    if (python === undefined || !fitsPython(python.version, version)) continue;
    if (wish === undefined || fitsPython(python.version, wish.text)) return { ...python, said };
  }
  return undefined;
}

/** Texts of the images in the app's folder, and of those in the folder above that copy it. */
function imagesOf(appFolder: string): readonly string[] {
  const names = ["Dockerfile", "dockerfile", "Containerfile", "docker/Dockerfile"];
  const textsIn = (folder: string) => names.map((name) => textOf(join(folder, name)));
  const copies = (text: string) =>
    [...text.matchAll(/^[ \t]*(?:COPY|ADD)[ \t](.{1,500})$/gim)].some(([, places = ""]) =>
      places.split(/[ \t/]+/).includes(basename(appFolder)),
    );
  const above = existsSync(join(appFolder, ".git")) ? [] : textsIn(dirname(appFolder));
  return [...textsIn(appFolder), ...above.filter(copies)];
}

function minorOf({ version }: Pick<PythonFacts, "version">): number {
  return Number(version.split(".")[1]);
}

function lockOf(appFolder: string): { readonly name: string; readonly text: string } | undefined {
  const name = lockFiles.find((each) => existsSync(join(appFolder, each)));
  return name === undefined
    ? undefined
    : { name, text: textOfPlainFile(join(appFolder, name), { largestBytes: largestLock }) ?? "" };
}

/** The repository's wish: `.python-version` in the app's folder or around it, else the project's own file. */
export function findWish(appFolder: string): PythonWish | undefined {
  for (let folder = appFolder; ; folder = dirname(folder)) {
    const file = join(folder, ".python-version");
    const version = wishOfVersionFile(textOf(file));
    // The patch does not decide if an app runs, and few machines have the very same one.
    if (version !== undefined) return { text: version.split(".").slice(0, 2).join("."), file };
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) break;
  }
  return wishOfFolder(appFolder);
}

function wishOfFolder(appFolder: string): PythonWish | undefined {
  const file = join(appFolder, "pyproject.toml");
  const text = wishOfProject(textOf(file));
  return text === undefined ? undefined : { text, file };
}

/** A longer file was not written by hand. */
const largestBytes = 1_000_000;
const largestLock = 10_000_000;

function textOf(file: string): string {
  return textOfPlainFile(file, { largestBytes }) ?? "";
}

export async function pythonsOf(minor: number, signal: AbortSignal): Promise<readonly PythonFacts[]> {
  const found: PythonFacts[] = [];
  for (const candidate of candidates()) {
    if (!new RegExp(`3\\.${minor}(?!\\d)`).test(candidate)) continue;
    const python = await readIfThere(candidate, signal);
    if (python !== undefined && minorOf(python) === minor) found.push(python);
  }
  return found;
}

function* candidates(): Generator<string> {
  for (let minor = newestMinor; minor >= oldestMinor; minor -= 1) yield `python3.${minor}`;
  const folder = join(process.env["RUNNER_TOOL_CACHE"] || "/opt/hostedtoolcache", "Python");
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  for (const version of versions.toSorted().toReversed()) {
    for (const architecture of ["x64", "arm64"]) yield join(folder, version, architecture, "bin", "python3");
  }
  // pyenv's names on PATH stand for the chosen versions; this folder has all of them.
  const own = join(process.env["PYENV_ROOT"] || join(userHome(), ".pyenv"), "versions");
  for (const version of (existsSync(own) ? readdirSync(own) : []).toSorted(byNumber).toReversed())
    yield join(own, version, "bin", "python3");
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/** A name may belong to a program that only says that there is no such version. */
async function readIfThere(candidate: string, signal: AbortSignal): Promise<PythonFacts | undefined> {
  try {
    return await readOnce(candidate, signal);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return undefined;
  }
}
