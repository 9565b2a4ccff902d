/** Patterns for the app's own endpoints: `/items/*` or `POST /orders`; `*` stands for anything. */
export interface Patterns {
  /** Without a method: GET. Empty: every GET. */
  readonly include: readonly string[];
  /** Without a method: all of them. */
  readonly exclude: readonly string[];
}
