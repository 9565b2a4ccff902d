import { createHash } from "node:crypto";
import * as z from "zod";
import { type Artifact, largestArtifactBytes, mostArtifacts } from "../../../forge/posting/artifact.ts";
import type { MeasuredRun } from "../../../forge/posting/measured-run.ts";
import { shaSchema as sha } from "../../../forge/run.ts";
import type { Answer, CommentOutcome } from "../../../ports/forge.ts";
import type { PostingForge } from "../../../ports/report.ts";
import { outcomeOf, RequestFailure } from "../failure.ts";
import { downloadLimited, readZipDocuments } from "./archive.ts";
import { createClient, type GitHubOptions } from "./client.ts";

type GitHubRun = Pick<PostingForge, "readRun" | "listPulls" | "listArtifacts" | "readArtifact">;

const id = z.int().positive();

const runSchema = z.object({
  id,
  run_number: id,
  run_attempt: id,
  event: z.string().max(100),
  head_sha: sha,
  head_branch: z.string().nullable(),
  repository: z.object({ id }),
  head_repository: z.object({ id, owner: z.object({ login: z.string() }) }).nullable(), // null: the fork is gone
});
const pullsSchema = z.array(
  z.object({
    number: id,
    state: z.string(),
    head: z.object({ sha, repo: z.object({ id }).nullable() }),
    base: z.object({ repo: z.object({ id }) }),
  }),
);
const artifactSchema = z.object({
  id,
  name: z.string(),
  size_in_bytes: z.int().nonnegative(),
  expired: z.boolean(),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullish(),
});
const artifactsSchema = z
  .object({ artifacts: z.array(artifactSchema) })
  .transform(({ artifacts }) => artifacts);

/** Waits between searches for a run's artifact that is not there yet. */
const listedAfterMs = [2_000, 4_000];

/** Who posts: a workflow that another run has started. */
export const poster = {
  forge: "GitHub",
  remedy: "Add this to the job: `permissions: { actions: read, pull-requests: write }`.",
};

export function createGitHubRun(options: GitHubOptions): GitHubRun {
  const { apiUrl, signal, fetch = globalThis.fetch } = options;
  const { send, findAddress, pages, pause } = createClient(options);
  const path = "/repos/{owner}/{repo}/actions";
  return {
    readRun: (runId) =>
      answer(async () => {
        const run = await send(runSchema, `GET ${path}/runs/{run_id}`, { run_id: runId });
        return {
          id: run.id,
          runNumber: run.run_number,
          attempt: run.run_attempt,
          event: run.event,
          headSha: run.head_sha,
          headBranch: run.head_branch,
          repositoryId: run.repository.id,
          headRepository: run.head_repository && {
            id: run.head_repository.id,
            owner: run.head_repository.owner.login,
          },
        };
      }),
    listPulls: ({ headBranch, headRepository }) =>
      answer(async () => {
        const head = `${headRepository?.owner}:${headBranch}`;
        const parameters = { state: "open", head, per_page: 100 };
        const pulls = await send(pullsSchema, "GET /repos/{owner}/{repo}/pulls", parameters);
        return pulls.map(({ number, state, head: { sha: headSha, repo }, base }) => ({
          number,
          state,
          headSha,
          headRepositoryId: repo?.id ?? null,
          baseRepositoryId: base.repo.id,
        }));
      }),
    listArtifacts: (run, isWanted) =>
      answer(async () => {
        // A new artifact is not always listed at once.
        for (const waitMs of listedAfterMs) {
          const found = await artifactsOf(run);
          if (found.some(({ name }) => isWanted(name))) return found;
          await pause(waitMs);
        }
        return await artifactsOf(run);
      }),
    readArtifact: (artifact) =>
      answer(async () => {
        const read = await readZipDocuments(await download(artifact));
        if (read.kind === "refused")
          throw new Unusable(`the run's report was not produced by this action: ${read.reason}`);
        return read.documents;
      }),
  };

  async function artifactsOf(run: MeasuredRun): Promise<readonly Artifact[]> {
    const found: Artifact[] = [];
    const route = `GET ${path}/runs/{run_id}/artifacts`;
    for await (const page of pages(artifactsSchema, route, { run_id: run.id })) {
      found.push(...page.map(toArtifact));
      if (found.length >= mostArtifacts) break;
    }
    return found;
  }

  async function download({ id: artifactId, sha256 }: Artifact): Promise<Buffer> {
    const archive = await downloadLimited(() => addressOf(artifactId), {
      fetch,
      mostBytes: largestArtifactBytes,
      timeoutMs: 60_000,
      signal,
      pause,
    });
    if (archive === undefined)
      throw new Unusable(`the run's report has more than ${largestArtifactBytes} bytes`);
    if (sha256 !== undefined && createHash("sha256").update(archive).digest("hex") !== sha256)
      throw new Unusable("what was downloaded is not the artifact that GitHub lists");
    return archive;
  }

  /** The archive is on another server, which must not get the token. So its address is requested, which soon expires. */
  async function addressOf(artifactId: number): Promise<string> {
    const route = `GET ${path}/artifacts/{artifact_id}/{archive_format}`;
    const address = await findAddress(route, { artifact_id: artifactId, archive_format: "zip" });
    const isPlainAllowed = apiUrl.startsWith("http:");
    if (!address.startsWith("https://") && !(isPlainAllowed && address.startsWith("http://")))
      throw new RequestFailure("GitHub did not return the artifact's address");
    return address;
  }
}

/** The reply cannot be used, whoever is to blame. */
class Unusable extends Error {
  override readonly name = "Unusable";
}

async function answer<T>(read: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: "answer", value: await read() };
  } catch (error) {
    const outcome = outcomeFor(error);
    if (outcome === undefined) throw error;
    return { kind: "no answer", outcome };
  }
}

function outcomeFor(error: unknown): CommentOutcome | undefined {
  if (error instanceof RequestFailure) return outcomeOf(error, poster);
  if (error instanceof Unusable) return { kind: "refused", reason: error.message };
  return undefined;
}

function toArtifact(one: z.infer<typeof artifactSchema>): Artifact {
  const { name, size_in_bytes: bytes, expired: isExpired, digest } = one;
  return { id: one.id, name, bytes, isExpired, sha256: digest?.slice("sha256:".length) };
}
