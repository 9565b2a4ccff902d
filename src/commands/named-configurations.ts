import type { ConfigurationFile } from "../core/config/file/configuration-file.ts";
import type { NamedConfiguration } from "../core/config/several-apps.ts";
import { InputError } from "../core/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../core/non-empty.ts";

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
