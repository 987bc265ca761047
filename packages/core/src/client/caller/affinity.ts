import { FairMap } from '@mcpmux/kit';
import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { TaskLedger } from './task-ledger.js';

/**
 * The maximum number of tasks and elicitations that are remembered; the oldest are evicted. Servers choose the ids, so
 * a long id counts as several.
 */
const MAX_REMEMBERED = { perOwner: 10_000, all: 100_000 };
const LENGTH_OF_ID = 256;

/**
 * Principals that mcpmux cannot distinguish from others of their kind. Only they can use tasks without a known owner.
 */
const WITHOUT_CREDENTIALS: ReadonlySet<Principal> = new Set([LOCAL, HOST, ANYBODY]);

/** Represents a holder after its end, without keeping the holder alive. */
interface Place<Holder> {
  holder: Holder | undefined;
  /** The id of the holder's principal, who may return. */
  readonly principal: string;
}

/** The owner of a task or an elicitation: a client, a client that has gone, or an unknown client. */
export type Owner<Holder> = { readonly client: Holder } | 'gone' | 'unknown';

/** The parts of a server that distinguish its ids from the ids of other servers. */
type IdGiver = Pick<Upstream, 'name' | 'layer'>;

/** Remembers the clients that tasks and elicitations belong to, because later messages about them carry only an id. */
export class Affinity<Holder extends { readonly principal: Principal }> {
  /** The statuses of tasks that were reported to clients, for servers that cannot report them. */
  readonly ledger = new TaskLedger();
  private readonly places = new WeakMap<Holder, Place<Holder>>();
  /** The tasks that servers run, by server and the id that clients know. */
  private readonly tasks = new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
  /** Also by server, because servers choose these ids, and two servers may choose the same id. */
  private readonly elicitations = new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
  /** The tasks that clients run for servers, by the client's id. */
  private readonly clientTasks = new WeakMap<Connection, FairMap<string, Place<Holder>>>();

  /** @param id the id that clients know */
  taskMade(holder: Holder, server: IdGiver, id: string): void {
    this.tasks.set(keyOf(server, id), this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  /**
   * Remembers a task made by a request without a connection. The task belongs to all requests of the principal.
   *
   * @param id the id that clients know
   */
  taskOfPrincipal({ principal }: Pick<Holder, 'principal'>, server: IdGiver, id: string): void {
    const place = { holder: undefined, principal: principal.id };
    this.tasks.set(keyOf(server, id), place, principal.id, weightOf(id));
  }

  /** @param id the id that clients know */
  ofTask(server: IdGiver, id: string): Owner<Holder> {
    return ownerIn(this.tasks.get(keyOf(server, id)));
  }

  /**
   * True for a task of another client. After that client has gone, true for a task of another principal. For a task
   * without a known owner, such as a task from before a restart of mcpmux, true if the caller has credentials: the
   * owner may be another principal with credentials.
   */
  isTaskOfAnother(caller: Holder, server: IdGiver, id: string): boolean {
    if (this.tasks.get(keyOf(server, id)) !== undefined) return this.isKnownOfAnother(caller, server, id);
    return !WITHOUT_CREDENTIALS.has(caller.principal);
  }

  /** Like {@link isTaskOfAnother}, but false for every id that is not known to be a task's id. */
  isKnownOfAnother(caller: Holder, server: IdGiver, id: string): boolean {
    const place = this.tasks.get(keyOf(server, id));
    if (place === undefined) return false;
    return place.holder === undefined ? place.principal !== caller.principal.id : place.holder !== caller;
  }

  /**
   * True for a task that `tasks/list` shows to a client. A front that requires no credentials has many clients with one
   * principal. None of them may learn the ids of another client's tasks, which have no other protection.
   */
  isListedFor(caller: Holder, server: IdGiver, id: string): boolean {
    if (this.isTaskOfAnother(caller, server, id)) return false;
    return caller.principal !== ANYBODY || this.tasks.get(keyOf(server, id))?.holder === caller;
  }

  elicited(holder: Holder, server: IdGiver, id: string): void {
    this.elicitations.set(keyOf(server, id), this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  ofElicitation(server: IdGiver, id: string): Owner<Holder> {
    return ownerIn(this.elicitations.get(keyOf(server, id)));
  }

  clientTaskMade(holder: Holder, connection: Connection, id: string): void {
    const tasks = this.clientTasks.get(connection) ?? new FairMap<string, Place<Holder>>(MAX_REMEMBERED);
    this.clientTasks.set(connection, tasks);
    tasks.set(id, this.placeOf(holder), holder.principal.id, weightOf(id));
  }

  ofClientTask(connection: Connection, id: string): Owner<Holder> {
    return ownerIn(this.clientTasks.get(connection)?.get(id));
  }

  /** A client has gone. What it owned is not passed to any other client. */
  forgetHolder(holder: Holder): void {
    const place = this.places.get(holder);
    if (place !== undefined) place.holder = undefined;
  }

  /** A server restarts or has been removed, so it may give the same ids to other things. */
  forgetServer(server: IdGiver): void {
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
function keyOf({ name, layer }: IdGiver, id: string): string {
  return `${layer.key(name)}\n${id}`;
}

function weightOf(id: string): number {
  return Math.ceil(id.length / LENGTH_OF_ID);
}
