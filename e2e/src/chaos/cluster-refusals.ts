import type { Sent } from './cluster-clients.js';
import { meets, type Absence, type FaultTime, type StoreLine } from './cluster-rules.js';

/** The reasons for which a cluster refuses a call, in words of its answers. */
const REASONS = {
  unreachable: /cannot be reached/,
  'lost amid': /did not answer\. What the request did/,
  starting: /is still starting/,
  ended: /was killed by signal|exited with code/,
  restarting: /lists no tools now/,
  fenced: /^fenced$/,
  'no session': /The session has ended/,
  moved: /moved to another node|moves to another node|has moved meanwhile/,
  ending: /shutting down|shut down before/,
} as const;

/** What was broken in a run, and when its servers started. */
export interface Storm {
  readonly away: readonly Absence[];
  readonly faults: readonly FaultTime[];
  readonly lines: readonly StoreLine[];
}

/** The reason of a refusal; undefined for one that no client can make anything of. */
export function reasonOf({ detail }: Pick<Sent, 'detail'>): string | undefined {
  return Object.entries(REASONS).find(([, words]) => words.test(detail))?.[0];
}

/** How many requests were refused for each reason. */
export function refusals(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of sent) {
    if (one.outcome !== 'refused') continue;
    const reason = reasonOf(one) ?? 'unknown';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** After a fault the nodes learn within this time that it is over, in milliseconds. */
const NOTICE_MS = 2000;
/** For so long before its next start a singleton may run nowhere, as its node could not renew the lease, in milliseconds. */
const OUTAGE_MS = 22_000;

/**
 * A refusal says why, and something was away at that time: the node that got the request, the node of the session since
 * the session was opened, a server of NATS, or the server itself.
 */
export function brokenRefusals(sent: readonly Sent[], storm: Storm): readonly string[] {
  const { away, faults } = storm;
  const isOut = outagesOf(storm);
  const ofNats = faults.filter(({ fault }) => fault.includes('nats'));
  const isExcused = (request: Sent): boolean => {
    const { node, sessionNode, sessionSince, sentAt, endedAt } = request;
    return (
      away.some((one) => one.node === node && touches(one, sentAt, endedAt)) ||
      away.some((one) => one.node === sessionNode && touches(one, sessionSince ?? sentAt, endedAt)) ||
      ofNats.some((one) => touches(one, sentAt, endedAt)) ||
      isOut(request)
    );
  };
  return sent
    .filter((one) => one.outcome === 'refused' && (reasonOf(one) === undefined || !isExcused(one)))
    .map((one) => `refused without a reason at ${Math.round(one.sentAt)}: ${JSON.stringify(one)}`);
}

type Time = Parameters<typeof meets>[0];

function touches({ from, until }: Time, begin: number, end: number): boolean {
  return meets({ from, until: until + NOTICE_MS }, begin, end);
}

/** Whether the server of a request ran nowhere: its node had gone since it started, or it was about to start. */
function outagesOf({ away, lines }: Storm): (request: Sent) => boolean {
  const starts = lines.filter(({ what }) => what === 'start');
  return ({ server, sentAt, endedAt }) => {
    const own = starts.filter((one) => one.server === server);
    const run = own.findLast(({ at }) => at <= sentAt);
    const hasLostNode = away.some(
      ({ node, kind, from }) => kind !== 'paused' && node === run?.node && from >= run.at && from <= endedAt,
    );
    return hasLostNode || own.some(({ at }) => touches({ from: at - OUTAGE_MS, until: at }, sentAt, endedAt));
  };
}
