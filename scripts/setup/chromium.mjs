import { chromiumWanted, findChromium, unpackedFolder } from "../lib/chromium.mjs";
import { hasDebianTools, unpackDebian } from "./debian.mjs";

/** The step that gets a browser for the tests of the page: without one on the machine, Debian's. */
export const chromiumStep = {
  name: "Chromium",
  isDone: () => findChromium() !== undefined,
  missing: async () =>
    hasDebianTools() ? [] : [`${chromiumWanted} (this machine has no apt-get to get it with)`],
  install: async () => {
    // There are no fonts without the recommended packages.
    await unpackDebian(["chromium", "fonts-dejavu-core"], unpackedFolder).catch((error) => {
      throw new Error(`${chromiumWanted}: ${error.message}`);
    });
    if (findChromium() === undefined) throw new Error(`${chromiumWanted}: Debian's packages hold none`);
  },
};
