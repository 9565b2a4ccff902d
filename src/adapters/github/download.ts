import { messageOf } from "../../errors/errors.ts";
import { within } from "../process/index.ts";
import { bodyWithin } from "./body.ts";
import { GitHubFailure } from "./request-failure.ts";

export interface DownloadOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly mostBytes: number;
  /** Limit for the whole download. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Waits this many milliseconds between tries. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Waits before a server that is busy or restarting is asked again. */
const triesAfterMs = [1_000, 2_000];

/**
 * Downloads into memory, and stops as soon as there is too much: then the result is `undefined`. Rejects with a
 * `GitHubFailure` without the address, which is as good as a key.
 *
 * @param addressOf asked for each try, since an address may expire
 */
export async function downloadLimited(
  addressOf: () => Promise<string>,
  options: DownloadOptions,
): Promise<Buffer | undefined> {
  for (const waitMs of triesAfterMs) {
    try {
      return await downloadOnce(await addressOf(), options);
    } catch (error) {
      if (!(error instanceof Unanswered) || options.signal?.aborted) throw error;
      await options.pause(waitMs);
    }
  }
  return await downloadOnce(await addressOf(), options);
}

/** No answer, or a fault of the server. */
class Unanswered extends GitHubFailure {}

async function downloadOnce(
  address: string,
  { fetch, mostBytes, timeoutMs, signal }: DownloadOptions,
): Promise<Buffer | undefined> {
  try {
    return await within({ ms: timeoutMs, signal }, async (until) => {
      const response = await fetch(address, { signal: until });
      if (response.ok && response.body !== null) return await bodyWithin(response.body, mostBytes);
      const Failure = response.status >= 500 ? Unanswered : GitHubFailure;
      throw new Failure(`the artifact's server answered ${response.status}`, undefined);
    });
  } catch (error) {
    if (error instanceof GitHubFailure) throw error;
    const words = messageOf(error).replaceAll(address, "its address");
    throw new Unanswered(`the artifact could not be downloaded (${words.slice(0, 200)})`, undefined);
  }
}
