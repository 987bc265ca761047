import type { CommandLine } from '../managed-process.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { startFront, type HttpFront, type HttpFrontName } from './http-front.js';
import { leftIn, openIn, type OpenThings } from './leaks.js';
import { SessionCrowd, type CrowdLoad } from './session-crowd.js';

interface Entry {
  readonly front: HttpFront;
  readonly before: OpenThings;
  readonly crowd: SessionCrowd;
}

/** Fronts side by side, each with the same server behind it and a crowd of sessions. */
export class FrontLineup implements AsyncDisposable {
  private readonly fronts: HttpFront[] = [];
  private readonly entries = new Map<HttpFrontName, Entry>();

  /** Starts a front, and opens its sessions. */
  async start(name: HttpFrontName, server: CommandLine, sessions: number): Promise<void> {
    const front = await startFront(name, server, sessions);
    this.fronts.push(front);
    const before = await openIn(front);
    this.entries.set(name, { front, before, crowd: await SessionCrowd.open(front, sessions) });
  }

  /** One window of load. */
  load(name: HttpFrontName, load: CrowdLoad): Promise<LoadFigures> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new Error(`${name} was not started`);
    return entry.crowd.load(load);
  }

  /** Ends all sessions. Resolves with what mcpmux still has open then, beyond what was open before. */
  async leave(): Promise<OpenThings> {
    await Promise.all([...this.entries.values()].map(({ crowd }) => crowd.leave()));
    const mux = this.entries.get('mcpmux');
    return mux === undefined ? { sessions: 0, descriptors: 0 } : leftIn(mux.front, mux.before);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.fronts.map((front) => front[Symbol.asyncDispose]()));
  }
}
