/** What the stand-in remembers. */

export interface Account {
  readonly login: string;
  /** A workflow's own token cannot ask who it is; an app's cannot either, and its comments bear the app's name. */
  readonly kind: "user" | "workflow";
  readonly canWrite: boolean;
}

export interface Pull {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly headSha: string;
  readonly baseSha: string;
}

export interface StoredComment {
  readonly id: number;
  readonly pullNumber: number;
  readonly login: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface State {
  readonly owner: string;
  readonly name: string;
  readonly accounts: Readonly<Record<string, Account>>;
  readonly pulls: ReadonlyMap<number, Pull>;
  readonly comments: ReadonlyMap<number, StoredComment>;
  add(comment: Pick<StoredComment, "pullNumber" | "login" | "body">): StoredComment;
  change(id: number, body: string): StoredComment | undefined;
  remove(id: number): boolean;
}

export interface StateOptions {
  readonly owner: string;
  readonly name: string;
  /** By token. */
  readonly accounts: Readonly<Record<string, Account>>;
  readonly pulls: readonly Pull[];
}

export function createState({ owner, name, accounts, pulls }: StateOptions): State {
  const comments = new Map<number, StoredComment>();
  let lastId = 1_000_000;
  return {
    owner,
    name,
    accounts,
    pulls: new Map(pulls.map((pull) => [pull.number, pull])),
    comments,
    add: (comment) => {
      lastId += 7; // ids are given out to all of GitHub, so neighbours are rare
      const at = timestamp();
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
