import { variablesOf } from "./example-values.ts";
import type { ProjectFile } from "./source-file.ts";

/** Code that reads a file `.env` of its folder: pydantic's settings, python-dotenv, decouple, Starlette, environs. */
const readsIt =
  /\benv_file\b["']?\s*[:=]\s*\(?["'](?:\.\/)?\.env["']|\bload_dotenv\(|\bdotenv_values\(|\bfrom decouple import|\bConfig\(\s*["']\.env["']|\bread_env\(/;

/**
 * Variables that the app takes from a `.env` of the repository by itself. Both arms find their own there, so nobody has
 * to set them.
 */
export function readByItself(files: readonly ProjectFile[]): ReadonlySet<string> {
  const file = files.find(({ path }) => path === ".env");
  const isRead = files.some(({ path, text }) => path.endsWith(".py") && readsIt.test(text));
  if (file === undefined || !isRead) return new Set();
  return new Set(variablesOf(file.text).map(([name]) => name));
}
