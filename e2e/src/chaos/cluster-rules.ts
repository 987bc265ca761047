import type { Sent } from './cluster-clients.js';

/** A time in which a node was stopped, or did not run. */
export interface Absence {
  readonly node: string;
  readonly from: number;
  readonly until: number;
}

/** A line that a run of the fixture `fenced` has written. */
export interface StoreLine {
  readonly server: string;
  readonly epoch: number;
  readonly pid: number;
  /** `start`, `refused`, or `effect:` and the nonce of the call. */
  readonly what: string;
}

/** The lines of the store of the fixture `fenced`. */
export function storeLines(text: string): readonly StoreLine[] {
  const read = text.split('\n').filter((line) => line !== '');
  return read.map((line) => {
    const [server = '', epoch, pid, what = ''] = line.split(' ');
    return { server, epoch: Number(epoch), pid: Number(pid), what };
  });
}

/** Each request has the one answer that belongs to it, unless the node that it was sent to, or its session's, was away. */
export function brokenRequests(sent: readonly Sent[], away: readonly Absence[]): readonly string[] {
  const isExcused = ({ node, sessionNode, sentAt, endedAt }: Sent): boolean =>
    away.some(
      (one) => (one.node === node || one.node === sessionNode) && one.from <= endedAt && one.until >= sentAt,
    );
  return sent
    .filter((one) => one.outcome === 'crossed' || (['lost', 'open'].includes(one.outcome) && !isExcused(one)))
    .map((one) => `${one.outcome} at ${Math.round(one.sentAt)}: ${JSON.stringify(one)}`);
}

/** An answer says what was done: each answered call has had its one effect. */
export function brokenEffects(sent: readonly Sent[], lines: readonly StoreLine[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { what } of lines)
    if (what.startsWith('effect:')) times.set(what.slice(7), (times.get(what.slice(7)) ?? 0) + 1);
  const twice = [...times].filter(([, count]) => count > 1).map(([nonce]) => `${nonce} was done twice`);
  const never = sent
    .filter(({ outcome, nonce }) => outcome === 'answered' && !times.has(nonce))
    .map(({ nonce }) => `${nonce} was answered and not done`);
  return [...twice, ...never];
}

/** The effects of a server are in the order of their epochs, and an epoch has one run at a time. */
export function brokenRuns(lines: readonly StoreLine[]): readonly string[] {
  const last = new Map<string, { readonly epoch: number; readonly pid: number }>();
  const ended = new Set<number>();
  return lines.flatMap(({ server, epoch, pid, what }) => {
    if (what === 'refused') return [];
    const before = last.get(server);
    last.set(server, { epoch, pid });
    if (before !== undefined && epoch < before.epoch)
      return [`an effect of epoch ${epoch} of ${server} after one of epoch ${before.epoch}`];
    if (ended.has(pid)) return [`two runs of ${server} in epoch ${epoch}: ${pid} and ${before?.pid}`];
    if (before !== undefined && before.pid !== pid) ended.add(before.pid);
    return [];
  });
}

/** What the cluster says of a server is what runs. */
export function brokenRegistry(
  servers: readonly { readonly name: string; readonly node: string | null; readonly epoch: number | null }[],
  lines: readonly StoreLine[],
): readonly string[] {
  return servers.flatMap(({ name, node, epoch }) => {
    const run = lines.findLast(({ server, what }) => server === name && what !== 'refused');
    if (node === null) return [`${name} runs on no node`];
    return run?.epoch === epoch ? [] : [`${name} runs in epoch ${run?.epoch}, and not in ${epoch}`];
  });
}
