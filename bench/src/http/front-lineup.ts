import { guarded } from '../guarded.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { ClientCrowd, type CrowdLoad } from './client-crowd.js';
import { isMux, startFront, type FrontInit, type HttpFront, type HttpFrontName } from './http-front.js';
import { leftIn, openIn, type OpenThings } from './leaks.js';

interface Entry {
  readonly front: HttpFront;
  readonly before: OpenThings;
  readonly crowd: ClientCrowd;
}

/** A front that cannot serve a crowd, and why. */
export interface LeftOutFront extends Omit<FrontInit, 'clients'> {
  readonly front: HttpFrontName;
  readonly reason: string;
}

/** Fronts side by side, each with the same server behind it and a crowd of clients. */
export class FrontLineup implements AsyncDisposable {
  readonly leftOut: LeftOutFront[] = [];
  private readonly entries = new Map<HttpFrontName, Entry>();

  constructor(
    private readonly init: FrontInit,
    private readonly startOne: typeof startFront = startFront,
  ) {}

  /** Starts a front, and opens its clients. A front of another author that cannot serve them is left out. */
  async start(name: HttpFrontName): Promise<void> {
    try {
      this.entries.set(name, await this.entryOf(name));
    } catch (error) {
      if (name === 'relay' || isMux(name)) throw error;
      const { era, payload } = this.init;
      const reason = error instanceof Error ? error.message : String(error);
      this.leftOut.push({ front: name, era, payload, reason });
    }
  }

  has(name: HttpFrontName): boolean {
    return this.entries.has(name);
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
    await Promise.all([...this.entries.values()].map(({ front }) => front[Symbol.asyncDispose]()));
  }

  private async entryOf(name: HttpFrontName): Promise<Entry> {
    const front = await this.startOne(name, this.init);
    return guarded(front, async () => {
      const before = await openIn(front);
      return { front, before, crowd: await ClientCrowd.open(front, this.init) };
    });
  }
}
