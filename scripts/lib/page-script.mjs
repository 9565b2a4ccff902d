import { build } from "esbuild";

import { root } from "./places.mjs";

/** Bundles the script of the report's page: it runs in the reader's browser, from inside of the page. */
export function bundlePageScript() {
  return build({
    absWorkingDir: root,
    entryPoints: ["page/main.ts"],
    outfile: "dist/page.js",
    bundle: true,
    minify: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    charset: "ascii", // fits any encoding of the page around it
    legalComments: "external",
    // The page's policy allows its own style only, which has what the flame graph needs.
    loader: { ".css": "empty" },
    metafile: true,
    write: false,
    logLevel: "warning",
  });
}
