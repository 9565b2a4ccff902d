/** Secrets that are given to the app. */
export interface SecretsPorts {
  readonly secrets: {
    /** The value of an environment variable, hidden in all output from now on; `undefined` when it is not set. */
    read(name: string): string | undefined;
    /** Hides a value in all output from now on. */
    hide(value: string): Promise<void>;
  };
}
