import type { Reply } from "./contract.ts";
import { refuse } from "./replies.ts";

/** A fault to come, as the answer to the next requests of one operation. */
export interface Fault {
  /** e.g. `issues/create-comment`; `archive`: of the server that holds the artifacts. */
  readonly operation: string;
  /**
   * `silence`: no answer at all. `page`: 502 with a proxy's page, `welcome`: 200 with one. `nonsense`: the right
   * answer, cut in the middle. `empty`: 200 without a body, `nothing`: 204. `stalls`, `ends`: half of the body, then
   * silence, or the end of the connection. `loops`: the right answer, with a link to the same page as the next.
   * `right`: no fault.
   */
  readonly answer:
    | number
    | "silence"
    | "page"
    | "welcome"
    | "nonsense"
    | "empty"
    | "nothing"
    | "stalls"
    | "ends"
    | "loops"
    | "right";
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of requests; one by default. */
  readonly times?: number;
  /** The request is carried out all the same. */
  readonly isCarriedOut?: boolean;
  /** Another event in the meantime. */
  readonly meanwhile?: () => void;
}

export interface Faults {
  add(fault: Fault): void;
  /** Removes all faults. */
  clear(): void;
  /** The next fault of this operation, if any; it counts as used. */
  take(operation: string): Fault | undefined;
}

export function createFaults(): Faults {
  const waiting: Fault[] = [];
  return {
    add: (fault) => {
      for (let time = 0; time < (fault.times ?? 1); time++) waiting.push(fault);
    },
    clear: () => void waiting.splice(0),
    take: (operation) => {
      const index = waiting.findIndex((fault) => fault.operation === operation);
      return index < 0 ? undefined : waiting.splice(index, 1)[0];
    },
  };
}

/** An answer that may be sent by half. */
export interface SentReply extends Reply {
  readonly half?: "stalls" | "ends";
}

/** Answers to requests that are carried out, right except for their sending. */
export const carriedOut: ReadonlySet<Fault["answer"]> = new Set([
  "nonsense",
  "right",
  "stalls",
  "ends",
  "loops",
]);

/** The reply instead of the answer; `undefined`: nothing. */
export function faultyReply({ answer, message, headers = {} }: Fault, right: Reply): SentReply | undefined {
  switch (answer) {
    case "welcome":
      return { status: 200, headers, body: "<html><body><h1>Please accept our terms</h1></body></html>" };
    case "empty":
      return { status: 200, headers, body: undefined };
    case "nothing":
      return { status: 204, headers, body: undefined };
    case "stalls":
    case "ends":
      return { ...right, half: answer };
    case "loops":
      return { ...right, headers: { ...right.headers, link: '<?page=1>; rel="next"' } };
    case "silence":
      return undefined;
    case "page":
      return { status: 502, headers, body: "<html><body><h1>502 Bad Gateway</h1></body></html>" };
    case "right":
      return right;
    case "nonsense":
      return { ...right, body: JSON.stringify(right.body).slice(0, 100) };
    case 422:
      return {
        status: 422,
        headers,
        body: { message: message ?? "Validation Failed", documentation_url: "https://docs.github.com/rest" },
      };
    default:
      return refuse(answer, message ?? "Server Error", headers);
  }
}
