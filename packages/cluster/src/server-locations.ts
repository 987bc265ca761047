import { type Logger, messageOf } from '@mcpmux/kit';
import type { ServerRecord } from './records.js';

/** Where a server is, for this node. */
export type ServerLocation =
  /** This node runs it. */
  | (Known & { readonly kind: 'here'; readonly epoch: number })
  /** Another node runs it. */
  | (Known & { readonly kind: 'there'; readonly node: string; readonly name: string; readonly epoch: number })
  | (Known & { readonly kind: 'nowhere'; readonly reason: string })
  /** The cluster no longer has the server; `isLeft`: this node has left the cluster. */
  | { readonly kind: 'gone'; readonly isLeft?: true };

interface Known {
  readonly record: ServerRecord;
}

/** Runs the servers of this node. */
export interface ClusterHost {
  /** A server is somewhere else now. Resolves when nothing of it runs here any more, if it is not `here`. */
  place(server: string, place: ServerLocation): Promise<void>;
  /** Other nodes may soon start the servers of this node: what the host is ending gets no more time. */
  hasten(): void;
}

/** Where this node has the servers of the cluster: the host learns each change once. */
export class ServerLocations {
  private readonly known = new Map<string, ServerLocation>();
  /** The work of the host at the moment for each server. */
  private readonly reported = new Map<string, Promise<void>>();

  constructor(
    private readonly host: ClusterHost,
    private readonly logger: Logger,
  ) {}

  /** The places by the names of the servers. */
  get all(): ReadonlyMap<string, ServerLocation> {
    return this.known;
  }

  /** How many servers this node runs. */
  get here(): number {
    let count = 0;
    for (const { kind } of this.known.values()) if (kind === 'here') count += 1;
    return count;
  }

  /** A server is there now. Resolves when the host has done what that needs. */
  move(server: string, place: ServerLocation): Promise<void> {
    const before = this.known.get(server);
    const known = this.reported.get(server) ?? Promise.resolve();
    if (isSame(before, place) || (before === undefined && place.kind === 'gone')) return known;
    if (place.kind === 'gone') this.known.delete(server);
    else this.known.set(server, place);
    const ended = this.host.place(server, place).catch((error: unknown) => {
      const problem = messageOf(error);
      this.logger.log('error', 'a server of the cluster was not placed', { server, problem });
    });
    this.reported.set(server, ended);
    if (place.kind === 'gone')
      void ended.then(() => this.reported.get(server) === ended && this.reported.delete(server));
    return ended;
  }

  /** Resolves when the host has done what each place needs that is known now. */
  async settled(): Promise<void> {
    await Promise.all(this.reported.values());
  }

  /**
   * This node leaves the cluster. Resolves when the host has ended each server of the cluster, or could not.
   *
   * @throws the reason of the first server that could not be ended
   */
  async leave(): Promise<void> {
    const ends = [...this.known.keys()].map((server) =>
      this.host.place(server, { kind: 'gone', isLeft: true }),
    );
    await Promise.allSettled(ends);
    await Promise.all(ends);
  }
}

function isSame(one: ServerLocation | undefined, other: ServerLocation): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
