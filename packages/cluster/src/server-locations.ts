import { type Logger, messageOf } from '@mcpmux/kit';
import type { ServerRecord } from './records.js';

/** The location of a server as known to this node. */
export type ServerLocation =
  /** This node runs the server. */
  | (WithRecord & { readonly kind: 'here'; readonly epoch: number })
  /** Another node runs the server. */
  | (WithRecord & {
      readonly kind: 'there';
      readonly node: string;
      readonly name: string;
      readonly epoch: number;
    })
  | (WithRecord & { readonly kind: 'nowhere'; readonly reason: string })
  /** The cluster no longer has the server. `isLeft` is set if this node has left the cluster. */
  | { readonly kind: 'gone'; readonly isLeft?: true };

interface WithRecord {
  readonly record: ServerRecord;
}

/** Runs the servers of this node. */
export interface ClusterHost {
  /** Applies a server's location. Unless it is `here`, resolves when the server no longer runs on this node. */
  place(server: string, place: ServerLocation): Promise<void>;
  /** Cuts short the graceful stops of servers, because other nodes may soon start the same servers. */
  hasten(): void;
}

/** The locations of the servers as known to this node. Reports each change to the host once. */
export class ServerLocations {
  private readonly locations = new Map<string, ServerLocation>();
  /** The host's last move of each server, pending or completed. */
  private readonly pendingMoves = new Map<string, Promise<void>>();

  constructor(
    private readonly host: ClusterHost,
    private readonly logger: Logger,
  ) {}

  get byName(): ReadonlyMap<string, ServerLocation> {
    return this.locations;
  }

  /** The number of servers that this node runs. */
  get localCount(): number {
    let count = 0;
    for (const { kind } of this.locations.values()) if (kind === 'here') count += 1;
    return count;
  }

  /** Changes a server's location. Resolves when the host has applied the change or failed to apply it. */
  move(server: string, place: ServerLocation): Promise<void> {
    const previousPlace = this.locations.get(server);
    const currentMove = this.pendingMoves.get(server) ?? Promise.resolve();
    if (isSameLocation(previousPlace, place) || (previousPlace === undefined && place.kind === 'gone'))
      return currentMove;
    if (place.kind === 'gone') this.locations.delete(server);
    else this.locations.set(server, place);
    const newMove = this.host.place(server, place).catch((error: unknown) => {
      const problem = messageOf(error);
      this.logger.log('error', 'a server of the cluster was not placed', { server, problem });
    });
    this.pendingMoves.set(server, newMove);
    if (place.kind === 'gone')
      void newMove.then(() => this.pendingMoves.get(server) === newMove && this.pendingMoves.delete(server));
    return newMove;
  }

  /** Resolves when no move is pending. */
  async whenMoved(): Promise<void> {
    await Promise.all(this.pendingMoves.values());
  }

  /**
   * Ends all cluster servers on this node when the node leaves the cluster.
   *
   * @throws the first error, after the host has finished with all servers
   */
  async endServers(): Promise<void> {
    const pendingEnds = [...this.locations.keys()].map((server) =>
      this.host.place(server, { kind: 'gone', isLeft: true }),
    );
    await Promise.allSettled(pendingEnds);
    await Promise.all(pendingEnds);
  }
}

function isSameLocation(one: ServerLocation | undefined, other: ServerLocation): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
