import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, wherever the command was typed. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Folder of the set-up; nothing in it is committed, and all of it may be deleted at any time. */
export const toolsFolder = join(root, ".tools");

/** Program of a virtual environment below `.tools`. */
export const pythonTool = (environment, name) => join(toolsFolder, environment, "bin", name);
