/**
 * Counts of one runner. `failures`: a line for each test that failed. `files`: of Vitest, those that the failed ones are
 * in. `problem`: a failure outside of any of them.
 */

export function countVitest(text) {
  if (text === undefined) return { passed: 0, failed: 0, failures: [] };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text);
  // A file that could not even be loaded has no test to fail.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failures = testResults.flatMap((file) => [
    ...(broken.includes(file) ? [`${file.name}: ${firstLine(file.message)}`] : []),
    ...file.assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => `${file.name} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`),
  ]);
  const files = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return { passed: numPassedTests, failed: numFailedTests + broken.length, failures, files };
}

export function countJunit(text) {
  const suites = [...(text ?? "").matchAll(/<testsuite\s[^>]*>/g)].map(([tag]) => tag);
  const sum = (name) =>
    suites.reduce((total, tag) => total + Number(new RegExp(`\\s${name}="(\\d+)"`).exec(tag)?.[1] ?? 0), 0);
  const failed = sum("failures") + sum("errors");
  const failures = [...(text ?? "").matchAll(/<testcase\s([^>]*)><(?:failure|error)\s([^>]*)>/g)].map(
    ([, test, problem]) =>
      `${attribute(test, "classname")} > ${attribute(test, "name")}: ${firstLine(attribute(problem, "message"))}`,
  );
  return { passed: sum("tests") - failed - sum("skipped"), failed, failures };
}

const attribute = (text, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "";

const firstLine = (text = "") => text.split(/\n|&#10;/)[0];

/** A runner that failed without a failed test, or that ran none, counts as one failure: it must not look green. */
export function withStatus(count, exitStatus) {
  if (count.passed + count.failed === 0) return { ...count, failed: 1, problem: "it ran no test" };
  if (exitStatus !== 0 && count.failed === 0)
    return { ...count, failed: 1, problem: `exit status ${exitStatus}` };
  return count;
}

/**
 * The counts of a runner whose failures ran again: what the second run says of them. `passedAgain`: lines of those that
 * passed there. A second run that broke says nothing.
 */
export function lookedAtAgain(first, second) {
  if (second.problem !== undefined) return first;
  const nameOf = (failure) => failure.split(": ")[0];
  const twice = new Set(second.failures.map(nameOf));
  const passedAgain = first.failures.filter((failure) => !twice.has(nameOf(failure)));
  const { failed, failures } = second;
  const passed = first.passed + passedAgain.length;
  return { ...first, passed, failed, failures, passedAgain, seconds: first.seconds + second.seconds };
}
