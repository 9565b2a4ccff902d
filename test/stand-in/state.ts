import type { JsonObject } from "./description.ts";
import { createGit, type Git } from "./git.ts";

/** The stand-in's memory. */

export interface Account {
  readonly login: string;
  /** A workflow's own token cannot ask its name. Neither can an app's, whose comments bear the app's name. */
  readonly kind: "user" | "workflow";
  readonly canWrite: boolean;
}

export interface Pull {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly headSha: string;
  readonly baseSha: string;
  /** Repository of the branch; the same repository by default. */
  readonly fork?: Fork;
  /** `feature` by default. */
  readonly branch?: string;
  /** The commit that it was merged as; absent: it was not. */
  readonly mergedAs?: string;
  /** Another repository that the pull request goes to; the same repository by default. */
  readonly baseRepositoryId?: number;
}

/** Another repository of the same network. */
export interface Fork {
  readonly id: number;
  readonly owner: string;
}

/** A run of a workflow. */
export interface Run {
  readonly id: number;
  readonly runNumber: number;
  readonly attempt: number;
  readonly event: string;
  readonly headSha: string;
  /** `feature` by default. */
  readonly branch?: string;
  /** `null`: it was deleted; the same repository by default. */
  readonly fork?: Fork | null;
}

export interface StoredArtifact {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly archive: Buffer;
  readonly isExpired?: boolean;
  /** Size that GitHub reports; its own by default. */
  readonly bytes?: number;
  readonly digest?: string;
}

/** Number of the repository, as in GitHub's examples. */
export const repositoryId = 1_296_269;

export interface StoredComment {
  readonly id: number;
  readonly pullNumber: number;
  readonly login: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** As GitHub has it; absent: the example's. */
  readonly association?: string;
}

/** A submitted review. */
export interface StoredReview {
  readonly id: number;
  readonly pullNumber: number;
  readonly login: string;
  readonly body: string;
  /** `null`: the commit is gone. */
  readonly commit: string | null;
}

/** A remark at a line, as its review was requested. */
export interface StoredRemark {
  readonly id: number;
  readonly pullNumber: number;
  readonly commit: string;
  readonly path: string;
  readonly line: number;
  readonly side: string;
  readonly body: string;
}

/** A label that was put on a pull request, or taken off it. */
export interface StoredLabelling {
  readonly id: number;
  readonly pullNumber: number;
  readonly login: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly createdAt: string;
}

export interface State {
  readonly owner: string;
  readonly name: string;
  readonly accounts: Readonly<Record<string, Account>>;
  readonly pulls: ReadonlyMap<number, Pull>;
  readonly comments: ReadonlyMap<number, StoredComment>;
  readonly git: Git;
  readonly reviews: StoredReview[];
  readonly remarks: StoredRemark[];
  readonly labellings: StoredLabelling[];
  /** Roles of people who are no owners of a token, by login; nobody else is a collaborator. */
  readonly roles: Map<string, "admin" | "write" | "read" | "none">;
  /** Check runs as requested. */
  readonly checks: JsonObject[];
  readonly runs: Map<number, Run>;
  readonly artifacts: Map<number, StoredArtifact>;
  add(
    comment: Pick<StoredComment, "pullNumber" | "login" | "body"> & {
      readonly createdAt?: string;
      readonly association?: string;
    },
  ): StoredComment;
  change(id: number, body: string): StoredComment | undefined;
  remove(id: number): boolean;
}

export interface StateOptions {
  readonly owner: string;
  readonly name: string;
  /** Accounts by token. */
  readonly accounts: Readonly<Record<string, Account>>;
  readonly pulls: readonly Pull[];
  readonly runs?: readonly Run[];
  readonly artifacts?: readonly StoredArtifact[];
}

export function createState({
  owner,
  name,
  accounts,
  pulls,
  runs = [],
  artifacts = [],
}: StateOptions): State {
  const comments = new Map<number, StoredComment>();
  let lastId = 1_000_000;
  return {
    owner,
    name,
    accounts,
    pulls: new Map(pulls.map((pull) => [pull.number, pull])),
    comments,
    git: createGit(),
    reviews: [],
    remarks: [],
    labellings: [],
    roles: new Map(),
    checks: [],
    runs: new Map(runs.map((run) => [run.id, run])),
    artifacts: new Map(artifacts.map((artifact) => [artifact.id, artifact])),
    add: (comment) => {
      lastId += 7; // ids are shared by all of GitHub, so neighbours are rare
      const { createdAt: at = timestamp() } = comment;
      const stored = { ...comment, id: lastId, createdAt: at, updatedAt: at };
      comments.set(stored.id, stored);
      return stored;
    },
    change: (id, body) => {
      const old = comments.get(id);
      if (old === undefined) return undefined;
      const changed = { ...old, body, updatedAt: timestamp() };
      comments.set(id, changed);
      return changed;
    },
    remove: (id) => comments.delete(id),
  };
}

/** GitHub gives whole seconds. */
function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}
