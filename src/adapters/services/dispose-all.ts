/** Ends all, the last one first, also when one of them cannot be ended; then throws its error. */
export async function disposeAll(started: readonly AsyncDisposable[]): Promise<void> {
  const errors: unknown[] = [];
  for (const each of started.toReversed()) {
    try {
      await each[Symbol.asyncDispose]();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
