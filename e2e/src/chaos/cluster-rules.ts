import type { Sent } from './cluster-clients.js';

/** A time in which a node was not, or not fully, there. */
export interface Absence {
  readonly node: string;
  /** `ending`: it was told to end. It answers what it has, and takes nothing new. */
  readonly kind: 'dead' | 'paused' | 'ending';
  readonly from: number;
  readonly until: number;
}

/** A time in which something was broken, and did not come back. */
export interface FaultTime {
  readonly fault: string;
  readonly from: number;
  readonly until: number;
}

/** A line that a run of the fixture `fenced` has written. */
export interface StoreLine {
  readonly server: string;
  readonly epoch: number;
  readonly pid: number;
  /**
   * `start`, `effect:` and the nonce of the call, or `overlap:` and the pid of another run that is alive; `refused` for
   * each of them after a line of a newer epoch.
   */
  readonly what: string;
  /** When it was written, and the node that runs the program. */
  readonly at: number;
  readonly node: string;
}

/** The lines of the store of the fixture `fenced`. */
export function storeLines(text: string): readonly StoreLine[] {
  const highest = new Map<string, number>();
  const read = text.split('\n').filter((line) => line !== '');
  return read.map((line) => {
    const [server = '', written, pid, what = '', at = 0, node = ''] = line.split(' ');
    const epoch = Number(written);
    const before = highest.get(server) ?? 0;
    highest.set(server, Math.max(before, epoch));
    const isRefused = epoch < before && !what.startsWith('overlap:');
    return { server, epoch, pid: Number(pid), what: isRefused ? 'refused' : what, at: Number(at), node };
  });
}

/** Whether two times have a moment in common. */
export function meets({ from, until }: { from: number; until: number }, begin: number, end: number): boolean {
  return from <= end && until >= begin;
}

/** Each request has the one answer that belongs to it, unless the node that it was sent to, or its session's, was away. */
export function brokenRequests(sent: readonly Sent[], away: readonly Absence[]): readonly string[] {
  const isExcused = ({ node, sessionNode, sentAt, endedAt }: Sent): boolean =>
    away.some(
      (one) =>
        one.kind !== 'ending' &&
        (one.node === node || one.node === sessionNode) &&
        meets(one, sentAt, endedAt),
    );
  return sent
    .filter((one) => one.outcome === 'crossed' || (['lost', 'open'].includes(one.outcome) && !isExcused(one)))
    .map((one) => `${one.outcome} at ${Math.round(one.sentAt)}: ${JSON.stringify(one)}`);
}

const OK = 200;
/** Nobody can say now: the client tries again. */
const LATER = 503;
const LOST_AMID = 502;

/**
 * The status of an answer blames a node only when that node, and most of NATS, was away: the node of a session since the
 * session was opened, the others while the request was on its way. A message that a server of NATS takes with it ends the
 * request between two nodes with 502.
 */
export function brokenStatuses(
  sent: readonly Sent[],
  away: readonly Absence[],
  faults: readonly FaultTime[],
): readonly string[] {
  const isExcused = ({ status, node, sessionNode, sessionSince, sentAt, endedAt }: Sent): boolean => {
    const natsFaults = status === LOST_AMID ? /nats/ : /most of nats/;
    return (
      away.some((one) => one.node === node && meets(one, sentAt, endedAt)) ||
      away.some((one) => one.node === sessionNode && meets(one, sessionSince ?? sentAt, endedAt)) ||
      faults.some((one) => natsFaults.test(one.fault) && meets(one, sentAt, endedAt))
    );
  };
  return sent
    .filter((one) => ![undefined, OK, LATER].includes(one.status) && !isExcused(one))
    .map((one) => `status ${one.status} at ${Math.round(one.sentAt)}: ${JSON.stringify(one)}`);
}

/** While nothing is broken, a cluster answers at least half of the requests. */
export function brokenService(sent: readonly Sent[], faults: readonly FaultTime[]): readonly string[] {
  const quiet = sent.filter(({ sentAt, endedAt }) => !faults.some((fault) => meets(fault, sentAt, endedAt)));
  const answered = quiet.filter(({ outcome }) => outcome === 'answered').length;
  if (quiet.length > 0 && answered * 2 >= quiet.length) return [];
  return [`${answered} of ${quiet.length} requests outside of faults were answered`];
}

/** An answer says what was done: each answered call has had its one effect. */
export function brokenEffects(sent: readonly Sent[], lines: readonly StoreLine[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { what } of lines)
    if (what.startsWith('effect:')) times.set(what.slice(7), (times.get(what.slice(7)) ?? 0) + 1);
  const twice = [...times].filter(([, count]) => count > 1).map(([nonce]) => `${nonce} was done twice`);
  const never = sent
    .filter(({ outcome, server, nonce }) => outcome === 'answered' && server !== '' && !times.has(nonce))
    .map(({ nonce }) => `${nonce} was answered and not done`);
  return [...twice, ...never];
}

/** An epoch of a server has one run at a time. */
export function brokenRuns(lines: readonly StoreLine[]): readonly string[] {
  const last = new Map<string, { readonly epoch: number; readonly pid: number }>();
  const ended = new Set<number>();
  return lines.flatMap(({ server, epoch, pid, what }) => {
    if (what === 'refused' || what.startsWith('overlap:')) return [];
    const before = last.get(server);
    last.set(server, { epoch, pid });
    if (ended.has(pid)) return [`two runs of ${server} in epoch ${epoch}: ${pid} and ${before?.pid}`];
    if (before !== undefined && before.pid !== pid) ended.add(before.pid);
    return [];
  });
}

/** No run starts while another one is alive, unless the node of that one was stopped, and could not end it. */
export function brokenOverlaps(lines: readonly StoreLine[], away: readonly Absence[]): readonly string[] {
  const nodes = new Map(lines.map(({ pid, node }) => [pid, node]));
  return lines.flatMap(({ server, epoch, pid, what, at, node }) => {
    if (!what.startsWith('overlap:')) return [];
    const other = Number(what.slice(8));
    const holder = nodes.get(other);
    if (away.some((one) => one.kind === 'paused' && one.node === holder && meets(one, at, at))) return [];
    return [
      `at ${at} ${server} started on ${node} in epoch ${epoch} as ${pid}, and ${other} of ${holder} was alive`,
    ];
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

/** What is left when the clients have gone and the servers were removed. */
export interface Remains {
  /** Figures of each node. */
  readonly nodes: readonly { readonly node: string; readonly figures: Readonly<Record<string, number>> }[];
  /** The servers that have a record of an owner. */
  readonly owners: readonly string[];
}

/** Without clients and servers, no node has a session, a server or a link, and nobody owns a server. */
export function brokenEnd({ nodes, owners }: Remains): readonly string[] {
  const figures = nodes.flatMap(({ node, figures: own }) =>
    Object.entries(own)
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => `node ${node} has ${value} ${name} left`),
  );
  return [...figures, ...owners.map((server) => `${server} was removed and has an owner`)];
}
