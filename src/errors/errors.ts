/** The step that was under way when something failed. Shown to the user, so plain words. */
export const phases = [
  "install",
  "start postgres",
  "seed",
  "copy database",
  "start app",
  "log in",
  "dry request",
  "warm up",
  "load",
  "read results",
  "write results",
] as const;

export type FailurePhase = (typeof phases)[number];

/** The caller gave unusable input. Lists every problem, so one failed run is enough to fix them all. Exit status 2. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid input:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** The same error with the app's name before each problem: nothing else distinguishes several apps. */
export function namingApp(error: unknown, app: string): unknown {
  if (!(error instanceof InputError)) return error;
  return new InputError(error.problems.map((problem) => `${app}: ${problem}`));
}

/** What failed, where the program itself does something about it. */
export type FailureDetail =
  /** A command of the configuration; stopped: a sentence about one that took too long. */
  | { readonly kind: "command"; readonly input: string; readonly stopped?: string }
  | { readonly kind: "missing program"; readonly program: string }
  | { readonly kind: "exit" }
  | { readonly kind: "failing page" }
  /** The app has no OpenAPI document. */
  | { readonly kind: "no document" }
  | { readonly kind: "slow start" }
  /** The app opened a database, broker or store of somebody else. */
  | { readonly kind: "other store" }
  /** A process other than the app's server has ended. */
  | { readonly kind: "process"; readonly name: string };

/** Something outside failed: exit status 3. `logTail` is foreign: only escaping code prints it. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  readonly phase: FailurePhase;
  readonly logTail: string;
  readonly detail: FailureDetail | undefined;

  constructor(
    phase: FailurePhase,
    message: string,
    options: { readonly logTail?: string; readonly cause?: unknown; readonly detail?: FailureDetail } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.phase = phase;
    this.logTail = options.logTail ?? "";
    this.detail = options.detail;
  }
}

/** True where an app opened what is somebody else's: nothing of it may go on. */
export function isOtherStore(error: unknown): boolean {
  return error instanceof EnvironmentError && error.detail?.kind === "other store";
}

/** Thrown when somebody cancels the run. Pending work, such as a child process, rejects with it, too. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
  readonly status: number;

  constructor(status: number) {
    super("cancelled");
    this.status = status;
  }
}

/** Message of a thrown value, for one line of text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const exitStatus = {
  fine: 0,
  /** A threshold was broken, or an endpoint got slower by as much as the check forbids. */
  forbidden: 1,
  badInput: 2,
  /** The app, its database or k6 could not run, or the machine could not. */
  environmentFailed: 3,
  ourFault: 4,
} as const;
