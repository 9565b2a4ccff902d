import { type ConfigurationFile, parseSettings } from "./file/configuration-file.ts";
import type { RawInputs } from "./raw-inputs.ts";

/**
 * Reads the caller's input `settings`; `undefined`: none. Throws an `InputError` with all problems of its form.
 *
 * @param folder that paths in it are relative to, as in other inputs
 */
export function settingsOf({ settings }: RawInputs, folder: string): ConfigurationFile | undefined {
  return settings?.trim() ? parseSettings(folder, settings) : undefined;
}
