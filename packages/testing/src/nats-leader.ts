import type { NatsServer } from './nats-server.js';

interface StreamDetail {
  readonly name: string;
  /** The stream's consumers, one for each watch of the bucket. */
  readonly consumer_detail?: readonly {
    readonly name: string;
    readonly cluster?: { readonly leader?: string };
  }[];
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly { readonly name: string; readonly current: boolean }[];
  };
  readonly state: { readonly last_seq: number };
}

interface JetStreamReport {
  readonly account_details?: readonly { readonly stream_detail?: readonly StreamDetail[] }[];
}

/** Returns the server that leads the replicas of a bucket, or undefined if there is no leader. */
export async function findBucketLeader(
  servers: readonly NatsServer[],
  bucket: string,
): Promise<NatsServer | undefined> {
  for (const server of servers) {
    const leaderName = (await fetchStreamDetail(server, bucket))?.cluster?.leader;
    const leaderServer = servers.find(({ name }) => name === leaderName);
    if (leaderServer !== undefined) return leaderServer;
  }
  return undefined;
}

/**
 * Returns the number of servers with a complete replica of a bucket. The leader's report does not suffice, because
 * NATS 2.9 reports a new replica as current while it is still empty, and such a replica elects no leader.
 */
export async function countReplicas(servers: readonly NatsServer[], bucket: string): Promise<number> {
  const leader = await findBucketLeader(servers, bucket);
  const detail = leader && (await fetchStreamDetail(leader, bucket));
  if (detail === undefined) return 0;
  const current = (detail.cluster?.replicas ?? []).filter((replica) => replica.current);
  const names = new Set(current.map(({ name }) => name));
  const copies = await Promise.all(
    servers.filter(({ name }) => names.has(name)).map((server) => fetchStreamDetail(server, bucket)),
  );
  return 1 + copies.filter((copy) => copy?.state.last_seq === detail.state.last_seq).length;
}

/** Returns the server that delivers the bucket's only watch, or undefined if the bucket is not being watched. */
export async function findWatchServer(
  servers: readonly NatsServer[],
  bucket: string,
): Promise<NatsServer | undefined> {
  for (const server of servers) {
    const [watch] = (await fetchStreamDetail(server, bucket))?.consumer_detail ?? [];
    const watchServer = servers.find(({ name }) => name === watch?.cluster?.leader);
    if (watchServer !== undefined) return watchServer;
  }
  return undefined;
}

async function fetchStreamDetail(
  { monitorUrl }: NatsServer,
  bucket: string,
): Promise<StreamDetail | undefined> {
  try {
    const url = new URL('/jsz?consumers=true', monitorUrl);
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape that NATS documents
    const { account_details: accounts = [] } = (await response.json()) as JetStreamReport;
    const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
    return streams.find(({ name }) => name === `KV_${bucket}`);
  } catch {
    // The server is suspended or has ended.
    return undefined;
  }
}
