/**
 * A Vitest reporter: names tests that failed before they passed, so that nobody takes such a run for a clean one.
 */
export default class LaterTries {
  /** Each test, with the first line of what its first try lacked. */
  #names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky !== true) return;
    const [error] = test.result().errors ?? [];
    const why = error?.message.split("\n")[0].slice(0, 300) ?? "";
    this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}: ${why}`);
  }

  onTestRunEnd() {
    if (this.#names.length === 0) return;
    console.log(`Passed on a later try only (${this.#names.length}):`);
    for (const name of this.#names) console.log(`  ${name}`);
  }
}
