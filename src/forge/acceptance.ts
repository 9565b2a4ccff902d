import { defined } from "../lists/defined.ts";
import type { Acceptance } from "../model/pull-request.ts";
import { shortenEnd } from "../text/length.ts";
import { parseMarker } from "./comment-marker.ts";

/** Words below a pull request: of a comment, of a review, or of a label. */
export interface Remark {
  /** Unique: `c12` for a comment, `r34` for a review, `l56` for a label. */
  readonly id: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
  readonly url: string;
  /** ISO 8601 in UTC with milliseconds, so that texts are in the order of times. */
  readonly writtenAt: string;
  /** In the same form. Absent: its words are the ones that its author wrote. */
  readonly editedAt?: string;
  /** True for an author that GitHub lists as a member; absent: unknown. */
  readonly isByMember?: boolean;
  /** The commit that a review is about; absent for all others. */
  readonly commit?: string;
}

/** The commit whose figures are reported, and a time at which the pull request certainly had it. */
export interface ReportedHead {
  readonly sha: string;
  /** In the form of `writtenAt`. Absent: nobody says, and then a comment must name its commit. */
  readonly since?: string;
}

const opening = "/loadtest accept ";
const command =
  /^\/loadtest accept (?<endpoint>[^\r\n]{1,300}?)(?:, (?<workers>[1-9]\d{0,2}) workers?)?(?: at (?<commit>[0-9a-f]{7,64}))?: *(?<reason>\S[^\r\n]*)$/;

const longestReason = 200;
/** Far more than a report has cells that fail. */
const mostOfRemark = 50;

/**
 * Acceptances that a remark requests, whether its author may or not: one a line, from its first line on. Output that
 * somebody pastes below other words requests nothing; neither does a bot, nor a report of ours, which quotes logs.
 */
export function acceptancesIn(remark: Remark, head: ReportedHead): readonly Acceptance[] {
  if (remark.isBot || parseMarker(remark.body) !== undefined) return [];
  const lines = remark.body.split(/\r?\n/).slice(0, mostOfRemark);
  const end = lines.findIndex((line) => !line.startsWith(opening));
  return (end < 0 ? lines : lines.slice(0, end)).flatMap((line) =>
    acceptanceIn(line.trimEnd(), remark, head),
  );
}

function acceptanceIn(line: string, remark: Remark, head: ReportedHead): readonly Acceptance[] {
  const { endpoint, workers, commit, reason } = command.exec(line)?.groups ?? {};
  if (endpoint === undefined || reason === undefined || !isOfHead(commit, remark, head)) return [];
  return [
    {
      endpoint,
      ...defined({ workers: workers === undefined ? undefined : Number(workers) }),
      by: remark.author,
      reason: shortenEnd(reason, longestReason),
      url: remark.url,
      remark: remark.id,
    },
  ];
}

/**
 * A commit's whole name decides, else that of the review, else the time: an older comment is about an older commit, and
 * anybody can make another one whose name begins alike. Whoever may write can edit the words of others, so an edit since
 * then does not count in its author's name.
 */
function isOfHead(named: string | undefined, remark: Remark, { sha, since }: ReportedHead): boolean {
  const { commit, writtenAt, editedAt } = remark;
  if (editedAt !== undefined && !(since !== undefined && editedAt <= since)) return false;
  if (named !== undefined && !sha.startsWith(named)) return false;
  if (named?.length === sha.length) return true;
  return commit === undefined ? since !== undefined && writtenAt > since : commit === sha;
}

/** A label that somebody put on a pull request, or took off it. */
export interface Labelling {
  readonly id: number;
  readonly isOn: boolean;
  readonly label: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly url: string;
  /** In the form of a remark's `writtenAt`. */
  readonly at: string;
}

/**
 * Labels that are still on, as remarks of those who put them there: `loadtest accept /orders` is such a line without its
 * slash, and without a reason. From the oldest to the newest labelling.
 */
export function remarksOfLabels(labellings: readonly Labelling[]): readonly Remark[] {
  const newest = new Map(labellings.map((each) => [each.label, each]));
  return [...newest.values()]
    .filter(({ isOn, label }) => isOn && `/${label}`.startsWith(opening))
    .map(({ id, label, author, isBot, url, at }) => ({
      ...{ id: `l${id}`, author, isBot, url, writtenAt: at },
      body: `/${label}: with a label`,
    }));
}
