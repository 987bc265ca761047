import type { NatsServer } from './nats-server.js';

interface Report {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}

/** The server that leads the copies of a bucket now; undefined while none does. */
export async function leaderOf(
  servers: readonly NatsServer[],
  bucket: string,
): Promise<NatsServer | undefined> {
  for (const { monitor } of servers) {
    const leader = await leaderAsToldBy(new URL('/jsz?streams=true', monitor), `KV_${bucket}`);
    const found = servers.find(({ name }) => name === leader);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function leaderAsToldBy(url: URL, stream: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as NATS documents it
    const { account_details: accounts = [] } = (await response.json()) as Report;
    const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
    return streams.find(({ name }) => name === stream)?.cluster?.leader;
  } catch {
    // The server is stopped or gone.
    return undefined;
  }
}
