import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { makeRepository, root } from "./act.ts";
import { hostileWorkflow } from "./workflows.ts";

/** What an app prints to command the runner, in both syntaxes, as the runner would trim and read it. */
const hostile = [
  "::set-output name=verdict::pwned",
  "  ::add-mask::uvicorn",
  "##[set-output name=verdict]pwned",
  "\\r::stop-commands::pwned",
  "\\ufeff::error::pwned",
];

const app = `import contextlib, fastapi

def say(): print(${hostile.map((text) => `"${text}"`).join(", ")}, sep="\\n", flush=True)

say()

@contextlib.asynccontextmanager
async def lifespan(app):
    say()
    raise RuntimeError("${hostile[0]}\\n${hostile[2]}")
    yield

app = fastapi.FastAPI(lifespan=lifespan)
`;

async function copyHostileApp(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "main.py"), app);
}

test("T8: a workflow's runner obeys nothing of what a failing app prints", { tags: ["smoke"] }, async () => {
  const control = "::set-output name=control::obeyed";
  await using repository = await makeRepository(
    hostileWorkflow(join(root, ".tools", "target-app"), control),
    copyHostileApp,
  );
  const { output } = await repository.runWorkflow({
    event: "pull_request",
    payload: { action: "opened", number: 7 },
    apiUrl: "http://127.0.0.1:1",
    runNumber: 1,
  });
  expect(output).toContain("RuntimeError"); // the app's own words are shown,
  expect(output).toContain("pwned");
  const obeyed = output.split("\n").filter((line) => /[\u2699\u2757]|::set-output::/u.test(line));
  expect(obeyed.join("\n")).toContain("control"); // and this runner obeys a step that commands it.
  expect(obeyed.join("\n")).not.toContain("pwned");
  expect(output).toContain("uvicorn"); // not masked
});
