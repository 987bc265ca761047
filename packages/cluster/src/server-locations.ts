import { type Logger, messageOf } from '@mcpmux/kit';
import type { ServerRecord } from './records.js';

/** The location of a server, as this node knows it. */
export type ServerLocation =
  /** This node runs the server. */
  | (Known & { readonly kind: 'here'; readonly epoch: number })
  /** Another node runs the server. */
  | (Known & { readonly kind: 'there'; readonly node: string; readonly name: string; readonly epoch: number })
  | (Known & { readonly kind: 'nowhere'; readonly reason: string })
  /** The cluster no longer has the server. `isLeft` means that this node has left the cluster. */
  | { readonly kind: 'gone'; readonly isLeft?: true };

interface Known {
  readonly record: ServerRecord;
}

/** Runs the servers of this node. */
export interface ClusterHost {
  /** Moves a server to a location. Resolves when it no longer runs here, if the location is not `here`. */
  place(server: string, place: ServerLocation): Promise<void>;
  /** Shortens the end of stopping servers, because other nodes may soon start the servers of this node. */
  hasten(): void;
}

/** The locations of the servers, as this node knows them. The host gets each change once. */
export class ServerLocations {
  private readonly known = new Map<string, ServerLocation>();
  /** The host's current work for each server. */
  private readonly reported = new Map<string, Promise<void>>();

  constructor(
    private readonly host: ClusterHost,
    private readonly logger: Logger,
  ) {}

  /** The locations by server name. */
  get all(): ReadonlyMap<string, ServerLocation> {
    return this.known;
  }

  /** The number of servers that this node runs. */
  get here(): number {
    let count = 0;
    for (const { kind } of this.known.values()) if (kind === 'here') count += 1;
    return count;
  }

  /** Sets the location of a server. Resolves when the host has applied the change. */
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

  /** Resolves when the host has applied all current locations. */
  async settled(): Promise<void> {
    await Promise.all(this.reported.values());
  }

  /**
   * Ends all servers of the cluster, because this node leaves the cluster. Resolves when the host has ended each of
   * them.
   *
   * @throws the error for the first server that could not be ended
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
