/**
 * A Vitest reporter: names tests that passed on their second try only, so that nobody takes such a run for a clean one.
 */
export default class SecondTries {
  #names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true)
      this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    if (this.#names.length === 0) return;
    console.log(`Passed on the second try only (${this.#names.length}):`);
    for (const name of this.#names) console.log(`  ${name}`);
  }
}
