import { FairMap } from '@mcpmux/kit';
import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { TaskLedger } from './task-ledger.js';

/**
 * The maximum number of remembered tasks and elicitations; the oldest are evicted. Servers choose the ids, so a long id
 * counts as several.
 */
const MAX_REMEMBERED = { perOwner: 10_000, all: 100_000 };
const ID_UNIT_LENGTH = 256;

/**
 * Principals that several clients share, so mcpmux cannot distinguish these clients. Only they can use tasks without a
 * known owner.
 */
const WITHOUT_CREDENTIALS: ReadonlySet<Principal> = new Set([LOCAL, HOST, ANYBODY]);

/** Represents a holder after it has disconnected, without retaining it in memory. */
interface Place<Holder> {
  holder: Holder | undefined;
  /** The id of the holder's principal, which may reconnect. */
  readonly principal: string;
}

/** The owner of a task or an elicitation: a connected client, a disconnected client, or an unknown client. */
export type Owner<Holder> = { readonly client: Holder } | 'gone' | 'unknown';

/** The fields of a server that distinguish its ids from the ids of other servers. */
type IdIssuer = Pick<Upstream, 'name' | 'layer'>;

/** Records the owners of tasks and elicitations, because later messages about them carry only an id. */
export class Affinity<Holder extends { readonly principal: Principal }> {
  /** The task statuses that clients have received, for servers that cannot report them. */
  readonly ledger = new TaskLedger();
  private readonly places = new WeakMap<Holder, Place<Holder>>();
  /** The tasks that servers run, by server and the id that clients know. */
  private readonly tasks = new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
  /** The elicitations by server and id, because two servers may choose the same id. */
  private readonly elicitations = new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
  /** The tasks that clients run for servers, by the client's id. */
  private readonly clientTasks = new WeakMap<Connection, FairMap<string, Place<Holder>>>();

  /** @param id the id that clients know */
  addTask(holder: Holder, server: IdIssuer, id: string): void {
    this.tasks.set(keyOf(server, id), this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  /**
   * Records a task that a request without a connection has created. The task belongs to all requests of the principal.
   *
   * @param id the id that clients know
   */
  addPrincipalTask({ principal }: Pick<Holder, 'principal'>, server: IdIssuer, id: string): void {
    const place = { holder: undefined, principal: principal.id };
    this.tasks.set(keyOf(server, id), place, principal.id, weightOf(id));
  }

  /** @param id the id that clients know */
  ownerOfTask(server: IdIssuer, id: string): Owner<Holder> {
    return ownerIn(this.tasks.get(keyOf(server, id)));
  }

  /**
   * True for a task of another client or, after that client has disconnected, of another principal. For a task without
   * a known owner, such as a task from before a restart of mcpmux, true if the caller has credentials, because the
   * owner may be another principal with credentials.
   */
  isForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.tasks.get(keyOf(server, id)) !== undefined) return this.isKnownForeignTask(caller, server, id);
    return !WITHOUT_CREDENTIALS.has(caller.principal);
  }

  /** Like {@link isForeignTask}, but false for an id that belongs to no known task. */
  isKnownForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    const place = this.tasks.get(keyOf(server, id));
    if (place === undefined) return false;
    return place.holder === undefined ? place.principal !== caller.principal.id : place.holder !== caller;
  }

  /**
   * True if `tasks/list` shows the task to the client. A frontend without credentials has many clients with one
   * principal. None of them may learn the ids of another client's tasks, which have no other protection.
   */
  isListedFor(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.isForeignTask(caller, server, id)) return false;
    return caller.principal !== ANYBODY || this.tasks.get(keyOf(server, id))?.holder === caller;
  }

  addElicitation(holder: Holder, server: IdIssuer, id: string): void {
    this.elicitations.set(keyOf(server, id), this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  ownerOfElicitation(server: IdIssuer, id: string): Owner<Holder> {
    return ownerIn(this.elicitations.get(keyOf(server, id)));
  }

  addClientTask(holder: Holder, connection: Connection, id: string): void {
    const tasks = this.clientTasks.get(connection) ?? new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
    this.clientTasks.set(connection, tasks);
    tasks.set(id, this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  ownerOfClientTask(connection: Connection, id: string): Owner<Holder> {
    return ownerIn(this.clientTasks.get(connection)?.get(id));
  }

  /** Releases a disconnected client. Its tasks and elicitations pass to no other client. */
  forgetHolder(holder: Holder): void {
    const place = this.places.get(holder);
    if (place !== undefined) place.holder = undefined;
  }

  /** Forgets a server that restarts or was removed, because it may reuse its ids. */
  forgetServer(server: IdIssuer): void {
    const prefix = keyOf(server, '');
    this.ledger.forget(server);
    this.tasks.deleteWhere((key) => key.startsWith(prefix));
    this.elicitations.deleteWhere((key) => key.startsWith(prefix));
  }

  private placeOf(holder: Holder): Place<Holder> {
    const place = this.places.get(holder) ?? { holder, principal: holder.principal.id };
    this.places.set(holder, place);
    return place;
  }
}

function ownerIn<Holder>(place: Place<Holder> | undefined): Owner<Holder> {
  if (place === undefined) return 'unknown';
  return place.holder === undefined ? 'gone' : { client: place.holder };
}

/** A server name cannot contain a line break, so the key is unambiguous. */
function keyOf({ name, layer }: IdIssuer, id: string): string {
  return `${layer.key(name)}\n${id}`;
}

function weightOf(id: string): number {
  return Math.ceil(id.length / ID_UNIT_LENGTH);
}
