/** What the app is told in confidence. */
export interface SecretsPorts {
  readonly secrets: {
    /** The value of a variable of ours, kept out of all that is written from now on; `undefined` when it is not set. */
    read(name: string): string | undefined;
    /** Keeps a value that was learned out of all that is written. */
    hide(value: string): Promise<void>;
  };
}
