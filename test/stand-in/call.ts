import type { Match, Request } from "./contract.ts";
import type { Account, State } from "./state.ts";

/** One request, with its context. */
export interface Call {
  readonly state: State;
  readonly account: Account;
  readonly match: Match;
  readonly request: Request;
  /** Address of the API, with its prefix. */
  readonly apiUrl: string;
}
