import { writeFileSync } from "node:fs";

/**
 * A Vitest reporter: writes a line for each test that failed before it passed into the file LOADTEST_LATER_TRIES, with
 * the first line of what its first try lacked.
 */
export default class LaterTries {
  #lines = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky !== true) return;
    const [error] = test.result().errors ?? [];
    const why = error?.message.split("\n")[0].slice(0, 300) ?? "";
    this.#lines.push(`${test.module.relativeModuleId} > ${test.fullName}: ${why}\n`);
  }

  onTestRunEnd() {
    writeFileSync(process.env.LOADTEST_LATER_TRIES, this.#lines.join(""));
  }
}
