import { modernHeaders } from '../load/modern-headers.js';
import { ENVELOPE, RawClient } from '../load/raw-client.js';
import { toolCall, type LoadSample } from '../load/run-load.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { cpuMicros, rssBytes } from '../measure/process-usage.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { quantile } from '../measure/statistics.js';
import { verifyAnswers } from '../forwarding/verify.js';
import type { FrontInit, HttpFront } from './http-front.js';

/** Ids of the requests of one client: no other one has them. */
const IDS_PER_CLIENT = 10_000_000;
const MS_PER_SECOND = 1000;

/** How a crowd calls. */
export interface CrowdLoad {
  /** The number of its clients that call. */
  readonly sessions: number;
  /** Each keeps so many calls in flight, */
  readonly inFlight: number;
  /** for so long, in milliseconds. */
  readonly windowMs: number;
}

/** Many clients at one front: in the legacy era each has a session, in the modern era each request describes its client. */
export class ClientCrowd {
  private constructor(
    private readonly front: HttpFront,
    private readonly members: readonly (readonly [RawClient, StreamableHttpConnection])[],
    private readonly plan: { readonly request: ReturnType<typeof toolCall>; readonly answerBytes: number },
  ) {}

  /** Opens so many clients, and makes sure that each has its answers. */
  static async open(front: HttpFront, { clients, era, payload }: FrontInit): Promise<ClientCrowd> {
    const isModern = era === 'modern';
    const members = Array.from({ length: clients }, (_, index) => {
      const connection = new StreamableHttpConnection(front.url, front, isModern ? modernHeaders : undefined);
      const firstId = index * IDS_PER_CLIENT + 1;
      return [new RawClient(connection, firstId, isModern ? ENVELOPE : undefined), connection] as const;
    });
    await Promise.all(
      members.map(async ([client]) => {
        await client.initialize();
        await client.callTool(front.tool, { message: 'hello' });
      }),
    );
    const [first] = members;
    if (first === undefined) throw new Error('a crowd has at least one client');
    const answerBytes = await verifyAnswers({ client: first[0], tool: front.tool }, payload);
    const request = toolCall(front.tool, isModern ? ENVELOPE : {});
    return new ClientCrowd(front, members, { request, answerBytes });
  }

  /** Calls: each client again when it has an answer. */
  async load({ sessions, inFlight, windowMs }: CrowdLoad): Promise<LoadFigures> {
    const { pid } = this.front;
    const plan = { ...this.plan, inFlight, windowMs, minCalls: inFlight };
    const cpuBefore = cpuMicros(pid);
    const started = performance.now();
    const callers = this.members.slice(0, sessions);
    const samples = await Promise.all(callers.map(([client]) => client.load(plan)));
    const wallMs = performance.now() - started;
    const cpu = cpuMicros(pid) - cpuBefore;
    const latencies = together(samples);
    const calls = latencies.length;
    return {
      calls,
      callsPerSecond: (calls / wallMs) * MS_PER_SECOND,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      cpuMicrosPerCall: cpu / calls,
      rssBytes: rssBytes(pid),
    };
  }

  /** Ends each session with a DELETE, and closes all connections. */
  async leave(): Promise<void> {
    await Promise.all(this.members.map(([, connection]) => connection.endSession()));
  }
}

function together(samples: readonly LoadSample[]): Float64Array {
  return Float64Array.from(samples.flatMap(({ latencies }) => [...latencies])).toSorted();
}
