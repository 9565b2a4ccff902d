/**
 * A Vitest reporter: names tests that failed before they passed, so that nobody takes such a run for a clean one.
 */
export default class LaterTries {
  #names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true)
      this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    if (this.#names.length === 0) return;
    console.log(`Passed on a later try only (${this.#names.length}):`);
    for (const name of this.#names) console.log(`  ${name}`);
  }
}
