import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";

import { messageOf } from "../../errors/errors.ts";
import type { MetricsOutcome } from "../../ports/report.ts";
import type { MetricsRequest, MetricsSender } from "../../report/metrics/otlp-metrics.ts";
import type { OtlpChoice } from "../../report/metrics/otlp-settings.ts";
import { shortenEnd } from "../../text/length.ts";
import { within } from "../process/index.ts";

/** Statuses after which the protocol allows another try. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Waits before another try, within the limit for everything. */
const triesAfterMs = [500, 2_000] as const;
/** A longer reply is not read to its end. */
const mostReplyBytes = 100_000;

/** What a receiver that took a part says. Numbers of 64 bits are texts there. */
const replySchema = z.object({
  partialSuccess: z.object({ rejectedDataPoints: z.coerce.number().optional() }).optional(),
});

/** Sends figures to an OTLP/HTTP receiver, if there is one. Nothing is thrown, and no secret is in the answer. */
export async function sendMetrics(
  choice: OtlpChoice,
  make: (sender: MetricsSender) => MetricsRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<MetricsOutcome> {
  if (choice.kind === "off") return { kind: "none" };
  if (choice.kind === "problem") return { kind: "failed", reason: choice.reason };
  const { endpoint, headers, timeoutMs, resource } = choice.settings;
  // An error of `fetch` would quote the value, which is a secret.
  if (!areSendable(headers))
    return {
      kind: "failed",
      reason:
        "a header of OTEL_EXPORTER_OTLP_HEADERS holds a line break or another character that HTTP does not allow",
    };
  const body = JSON.stringify(make({ resource, nowMs: Date.now() }));
  const place = new URL(endpoint).origin;
  const send = (until: AbortSignal) =>
    fetch(endpoint, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      redirect: "error", // the headers are for nobody else
      signal: until,
    });
  try {
    return await within({ ms: timeoutMs, signal }, async (until) => {
      let response = await send(until);
      for (const waitMs of triesAfterMs) {
        if (!busy.has(response.status)) break;
        await response.body?.cancel();
        await sleep(waitMs, undefined, { signal: until });
        response = await send(until);
      }
      if (!response.ok) return { kind: "failed", reason: `${place} answered ${response.status}` };
      const refused = refusedIn(await textOf(response));
      return refused > 0
        ? { kind: "failed", reason: `${place} refused ${refused} of the figures` }
        : { kind: "sent", place };
    });
  } catch (error) {
    // `fetch` itself says no more than that it failed; its cause has the reason.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const words = messageOf(cause).replaceAll(endpoint, place);
    return { kind: "failed", reason: `${place} did not accept them: ${shortenEnd(words, 200)}` };
  }
}

function areSendable(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== undefined;
  } catch {
    return false;
  }
}

async function textOf({ body }: Response): Promise<string> {
  let bytes = 0;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > mostReplyBytes) break; // which cancels the rest
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusedIn(reply: string): number {
  try {
    return replySchema.parse(JSON.parse(reply)).partialSuccess?.rejectedDataPoints ?? 0;
  } catch {
    return 0; // a reply in another form says nothing
  }
}
