import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { findOperation, problemsOfReply, problemsOfRequest, type Reply, type Request } from "./contract.ts";
import { carriedOut, createFaults, type Fault, faultyReply, type SentReply } from "./faults.ts";
import { refuse, reply } from "./replies.ts";
import { answer, archivePath } from "./routes.ts";
import { createState, type State, type StateOptions } from "./state.ts";

/**
 * A stand-in for GitHub's API on loopback. It remembers comments, and holds every request and every reply against
 * GitHub's own description: a test has passed only if `violations` is empty in the end.
 */
export interface StandIn extends AsyncDisposable {
  /** For `GITHUB_API_URL`. */
  readonly apiUrl: string;
  readonly state: State;
  readonly violations: readonly string[];
  /** e.g. `GET /repos/octo/app/issues/7/comments?per_page=100`, in the order of arrival. */
  readonly requests: readonly string[];
  fail(fault: Fault): void;
  /** Ends all faults. */
  heal(): void;
}

export interface StandInOptions extends StateOptions {
  /** Beginning of the API's paths, e.g. `/api/v3` as on an enterprise server. */
  readonly prefix?: string;
  /** Waits before a request is carried out, and again before its answer is sent. */
  readonly delay?: () => Promise<void>;
}

export async function startGitHub(options: StandInOptions): Promise<StandIn> {
  const { prefix = "", delay = async () => {} } = options;
  const state = createState(options);
  const faults = createFaults();
  const violations: string[] = [];
  const requests: string[] = [];

  /** `undefined`: no answer is sent. */
  async function handle(request: Request, apiUrl: string): Promise<SentReply | undefined> {
    const line = `${request.method} ${request.path}`;
    const complain = (problems: readonly string[]) => {
      violations.push(...problems.map((problem) => `${line}: ${problem}`));
    };
    if (request.path === "/graphql") return viewerOf(request);
    const match = findOperation(request);
    if (match === undefined) {
      complain(["GitHub has no such operation, or we did not cut it out"]);
      return refuse(404, "Not Found");
    }
    const problems = problemsOfRequest(match, request);
    complain(problems);
    if (problems.length > 0) return refuse(400, "Problems parsing the request");
    const account = accountOf(request, state);
    if (account === undefined) return refuse(401, "Bad credentials");

    await delay();
    const fault = faults.take(match.operation.operationId);
    fault?.meanwhile?.();
    const call = { state, account, match, request, apiUrl };
    const isRight = fault !== undefined && carriedOut.has(fault.answer);
    const isSkipped = fault !== undefined && !isRight && !fault.isCarriedOut;
    const right = isSkipped ? refuse(500, "skipped") : answer(call);
    complain(problemsOfReply(match.operation, right));
    const sent = fault === undefined ? right : faultyReply(fault, right);
    if (sent !== undefined && !unlike.has(fault?.answer ?? "right"))
      complain(problemsOfReply(match.operation, sent));
    await delay();
    return sent;
  }

  /** The only GraphQL question: the token's own name. */
  function viewerOf(request: Request): Reply {
    const account = accountOf(request, state);
    const { query } = JSON.parse(request.body);
    if (query !== "query { viewer { login } }") violations.push(`POST /graphql: ${String(query)}`);
    const fault = faults.take("graphql");
    const right: Reply =
      account === undefined
        ? refuse(401, "Bad credentials")
        : reply(200, { data: { viewer: { login: account.login } } });
    return (fault && faultyReply(fault, right)) ?? right;
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "127.0.0.1"}`);
    requests.push(`${incoming.method} ${url.pathname}${url.search}`);
    if (url.pathname.startsWith(archivePath)) return sendArchive(incoming, outgoing, url.pathname);
    if (!url.pathname.startsWith(`${prefix}/`)) {
      violations.push(`${incoming.method} ${url.pathname}: the API begins at ${prefix}`);
      return send(outgoing, refuse(404, "Not Found"));
    }
    const request = {
      method: incoming.method ?? "GET",
      path: url.pathname
        .slice(prefix.length)
        .replace(/^\/repositories\/1\//, `/repos/${options.owner}/${options.name}/`),
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
      body: await textOf(incoming),
    };
    const reply = await handle(request, `${url.origin}${prefix}`);
    if (reply !== undefined) send(outgoing, reply);
  }

  function sendArchive(incoming: IncomingMessage, outgoing: ServerResponse, path: string): void {
    if (incoming.headers.authorization !== undefined)
      violations.push(`${path}: the token went to the server of the archives`);
    const fault = faults.take("archive");
    if (fault !== undefined) {
      if (typeof fault.answer === "number") outgoing.writeHead(fault.answer).end();
      else outgoing.destroy();
      return;
    }
    const artifact = state.artifacts.get(Number(path.slice(archivePath.length)));
    outgoing.writeHead(artifact === undefined ? 404 : 200, { "content-type": "application/zip" });
    outgoing.end(artifact?.archive);
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      violations.push(`the stand-in failed: ${String(error)}`);
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return {
    apiUrl: `http://127.0.0.1:${address.port}${prefix}`,
    state,
    violations,
    requests,
    fail: faults.add,
    heal: faults.clear,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function accountOf({ headers }: Request, { accounts }: State) {
  const [, token = ""] = /^(?:token|bearer) (\S+)$/i.exec(String(headers["authorization"])) ?? [];
  return Object.hasOwn(accounts, token) ? accounts[token] : undefined;
}

/** Answers that GitHub itself would never send. */
const unlike: ReadonlySet<Fault["answer"]> = new Set(["nonsense", "welcome", "empty", "nothing", "loops"]);

function send(outgoing: ServerResponse, { status, headers, body, half }: SentReply): void {
  const isPage = typeof body === "string" && body.startsWith("<");
  const type = isPage ? "text/html" : "application/json; charset=utf-8";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (half !== undefined) {
    const length = Buffer.byteLength(text ?? "");
    outgoing.writeHead(status, { ...headers, "content-type": type, "content-length": length });
    outgoing.write((text ?? "").slice(0, Math.floor(length / 2)), () => {
      if (half === "ends") outgoing.destroy();
    });
    return;
  }
  outgoing.writeHead(status, body === undefined ? headers : { ...headers, "content-type": type }).end(text);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
