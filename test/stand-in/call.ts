import type { Match, Request } from "./contract.ts";
import type { Account, State } from "./state.ts";

/** One request, with what it is about. */
export interface Call {
  readonly state: State;
  readonly account: Account;
  readonly match: Match;
  readonly request: Request;
  /** Where the API is reached, with its prefix. */
  readonly apiUrl: string;
}
