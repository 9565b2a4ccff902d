import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

import { root } from "../contract/files.ts";

const { findChromium, chromiumWanted } = await import(`${root}/scripts/lib/chromium.mjs`);

/** Starts the browser that the set-up found; throws a sentence on getting one. */
export async function startBrowser(): Promise<Browser> {
  const found = findChromium();
  if (found === undefined) throw new Error(`${chromiumWanted}; \`npm run setup\` gets it`);
  return chromium.launch({
    executablePath: found.program,
    env: { ...process.env, ...found.variables },
    // Its own sandbox needs rights that containers do not give; the pages are ours.
    args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
  });
}

/** A page with all of its complaints and network requests. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
  readonly requests: string[];
}

export async function openPage(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1_100, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await page.locator(".charts[data-drawn]").waitFor();
  return { page, complaints, requests: requests };
}

const pictures = join(root, ".tools", "pictures");

/** Keeps a picture of the page, or of its beginning, outside of the commits. */
export async function keepPicture(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}

const { source } = createRequire(import.meta.url)("axe-core");

/** Findings of axe, one line for each rule with the first element that breaks it; by all rules if none is named. */
export async function accessibilityProblems(
  page: Page,
  { only, without }: { readonly only?: string; readonly without?: string } = {},
): Promise<string[]> {
  await page.evaluate(source); // through the debugger, which the page's own policy does not stop
  const options = {
    resultTypes: ["violations"],
    ...(only && { runOnly: [only] }),
    ...(without && { rules: { [without]: { enabled: false } } }),
  };
  const found: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] =
    await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
  );
}
