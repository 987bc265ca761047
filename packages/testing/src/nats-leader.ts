import type { NatsServer } from './nats-server.js';

interface StreamDetail {
  readonly name: string;
  /** The watches that the server serves. */
  readonly consumer_detail?: readonly {
    readonly name: string;
    readonly cluster?: { readonly leader?: string };
  }[];
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly { readonly current: boolean }[];
  };
}

interface Report {
  readonly account_details?: readonly { readonly stream_detail?: readonly StreamDetail[] }[];
}

/** Returns the server that leads the replicas of a bucket, or undefined if there is no leader. */
export async function leaderOf(
  servers: readonly NatsServer[],
  bucket: string,
): Promise<NatsServer | undefined> {
  for (const server of servers) {
    const leader = (await detailOf(server, bucket))?.cluster?.leader;
    const found = servers.find(({ name }) => name === leader);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the number of servers with a current replica of a bucket, according to the bucket's leader. */
export async function copiesOf(servers: readonly NatsServer[], bucket: string): Promise<number> {
  const leader = await leaderOf(servers, bucket);
  const detail = leader && (await detailOf(leader, bucket));
  if (detail === undefined) return 0;
  return 1 + (detail.cluster?.replicas ?? []).filter(({ current }) => current).length;
}

/** Returns the server that serves the only watch of a bucket, or undefined if no server does. */
export async function feederOf(
  servers: readonly NatsServer[],
  bucket: string,
): Promise<NatsServer | undefined> {
  for (const server of servers) {
    const [watch] = (await detailOf(server, bucket))?.consumer_detail ?? [];
    const found = servers.find(({ name }) => name === watch?.cluster?.leader);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function detailOf({ monitor }: NatsServer, bucket: string): Promise<StreamDetail | undefined> {
  try {
    const url = new URL('/jsz?consumers=true', monitor);
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape that NATS documents
    const { account_details: accounts = [] } = (await response.json()) as Report;
    const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
    return streams.find(({ name }) => name === `KV_${bucket}`);
  } catch {
    // The server is stopped or has ended.
    return undefined;
  }
}
