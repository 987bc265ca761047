import { RawClient } from '../load/raw-client.js';
import { toolCall, type LoadSample } from '../load/run-load.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { cpuMicros, rssBytes } from '../measure/process-usage.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { quantile } from '../measure/statistics.js';
import type { HttpFront } from './http-front.js';

/** Ids of the requests of one session: no other one has them. */
const IDS_PER_SESSION = 10_000_000;
const MS_PER_SECOND = 1000;

/** How a crowd calls. */
export interface CrowdLoad {
  /** The number of its sessions that call. */
  readonly sessions: number;
  /** Each keeps so many calls in flight, */
  readonly inFlight: number;
  /** for so long, in milliseconds. */
  readonly windowMs: number;
}

/** Many sessions at one front. */
export class SessionCrowd {
  private constructor(
    private readonly front: HttpFront,
    private readonly members: readonly (readonly [RawClient, StreamableHttpConnection])[],
    private readonly answerBytes: number,
  ) {}

  /** Opens so many sessions, and makes sure that each has its answers. */
  static async open(front: HttpFront, sessions: number): Promise<SessionCrowd> {
    const members = Array.from({ length: sessions }, (_, index) => {
      const connection = new StreamableHttpConnection(front.url, front);
      return [new RawClient(connection, index * IDS_PER_SESSION + 1), connection] as const;
    });
    const answers = await Promise.all(
      members.map(async ([client]) => {
        await client.initialize();
        return client.callTool(front.tool, { message: 'hello' });
      }),
    );
    const [first] = answers;
    if (first === undefined) throw new Error('a crowd has at least one session');
    return new SessionCrowd(front, members, first.bytes);
  }

  /** Calls: each session again when it has an answer. */
  async load({ sessions, inFlight, windowMs }: CrowdLoad): Promise<LoadFigures> {
    const { pid, tool } = this.front;
    const plan = {
      request: toolCall(tool),
      inFlight,
      windowMs,
      minCalls: inFlight,
      answerBytes: this.answerBytes,
    };
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

  /** Ends all sessions, each with a DELETE, and closes their connections. */
  async leave(): Promise<void> {
    await Promise.all(this.members.map(([, connection]) => connection.endSession()));
  }
}

function together(samples: readonly LoadSample[]): Float64Array {
  return Float64Array.from(samples.flatMap(({ latencies }) => [...latencies])).toSorted();
}
