import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { NamedConfiguration } from "../config/several-apps.ts";
import { InputError } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";

/** Reads all files. Throws one `InputError` with all that is wrong in any of them. */
export async function readAll(
  names: NonEmptyArray<string>,
  read: (name: string) => Promise<ConfigurationFile | undefined>,
): Promise<NonEmptyArray<NamedConfiguration>> {
  const configurations: NamedConfiguration[] = [];
  const problems: string[] = [];
  for (const name of names) {
    try {
      configurations.push({ name, file: await read(name) });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0 || !isNonEmpty(configurations)) throw new InputError(problems);
  return configurations;
}
