import { type ConfigurationFile, parseSettings } from "./file/configuration-file.ts";
import type { RawInputs } from "./raw-inputs.ts";

/**
 * The caller's input `settings`, read; `undefined`: none. Throws an `InputError` with all that is wrong in its form.
 *
 * @param folder that paths in it are taken from, as those in other inputs
 */
export function settingsOf({ settings }: RawInputs, folder: string): ConfigurationFile | undefined {
  return settings?.trim() ? parseSettings(folder, settings) : undefined;
}
