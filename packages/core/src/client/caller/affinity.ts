import { FairMap } from '@mcpmux/kit';
import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { TaskLedger } from './task-ledger.js';

/** How many owner records to store, per owner and in total, before evicting the oldest. A long id counts as several. */
const MAX_OWNER_RECORDS = { perOwner: 10_000, all: 100_000 };
const ID_LENGTH_PER_RECORD = 256;

/**
 * The principals without credentials, which several clients may share. Only they may use a task with an unknown owner.
 */
const PRINCIPALS_WITHOUT_CREDENTIALS: ReadonlySet<Principal> = new Set([LOCAL, HOST, ANYBODY]);

/**
 * The owner of tasks and elicitations. The record outlives the client, and references it only while it is connected.
 */
interface OwnerRecord<Holder> {
  client: Holder | undefined;
  /** The id of the client's principal, which owns the tasks and elicitations after the client has disconnected. */
  readonly principal: string;
}

/** The owner of a task or an elicitation: a connected client, a disconnected client, or an unknown client. */
export type Owner<Holder> = { readonly client: Holder } | 'gone' | 'unknown';

/** The members of a server that distinguish its ids from other servers' ids. */
type IdIssuer = Pick<Upstream, 'name' | 'layer'>;

/** Records the owners of tasks and elicitations, because later messages about them carry only an id. */
export class Affinity<Holder extends { readonly principal: Principal }> {
  /** The tasks that servers cannot report themselves, as last reported to clients. */
  readonly ledger = new TaskLedger();
  private readonly ownerRecords = new WeakMap<Holder, OwnerRecord<Holder>>();
  /** The owners of the tasks that servers run, keyed by server and by the id that clients know. */
  private readonly tasks = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The owners of elicitations, keyed by server and id, because two servers may choose the same id. */
  private readonly elicitations = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The owners of the tasks that clients run for servers, keyed by connection and by the client's task id. */
  private readonly clientTasks = new WeakMap<Connection, FairMap<string, OwnerRecord<Holder>>>();

  /** @param id the id that clients know */
  addTask(holder: Holder, server: IdIssuer, id: string): void {
    this.tasks.set(keyOf(server, id), this.recordOf(holder), holder.principal.id, weightOf(id));
  }

  /**
   * Records a task created by a request without a connection. Any request of the same principal may use the task.
   *
   * @param id the id that clients know
   */
  addPrincipalTask({ principal }: Pick<Holder, 'principal'>, server: IdIssuer, id: string): void {
    const record = { client: undefined, principal: principal.id };
    this.tasks.set(keyOf(server, id), record, principal.id, weightOf(id));
  }

  /** @param id the id that clients know */
  ownerOfTask(server: IdIssuer, id: string): Owner<Holder> {
    return ownerFromRecord(this.tasks.get(keyOf(server, id)));
  }

  /**
   * True if another client owns the task or, once that client has disconnected, another principal does. A task with an
   * unknown owner, such as one created before mcpmux restarted, is foreign to a caller with credentials, because
   * another principal with credentials may own it.
   */
  isForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.tasks.get(keyOf(server, id)) !== undefined) return this.isKnownForeignTask(caller, server, id);
    return !PRINCIPALS_WITHOUT_CREDENTIALS.has(caller.principal);
  }

  /** Like {@link isForeignTask}, but false for a task with an unknown owner. */
  isKnownForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    const record = this.tasks.get(keyOf(server, id));
    if (record === undefined) return false;
    return record.client === undefined ? record.principal !== caller.principal.id : record.client !== caller;
  }

  /**
   * True if `tasks/list` may include the task for this caller. All clients of a frontend without credentials share one
   * principal, so none of them may learn another client's task id, which is the task's only protection.
   */
  isTaskListedFor(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.isForeignTask(caller, server, id)) return false;
    return caller.principal !== ANYBODY || this.tasks.get(keyOf(server, id))?.client === caller;
  }

  addElicitation(holder: Holder, server: IdIssuer, id: string): void {
    this.elicitations.set(keyOf(server, id), this.recordOf(holder), holder.principal.id, weightOf(id));
  }

  ownerOfElicitation(server: IdIssuer, id: string): Owner<Holder> {
    return ownerFromRecord(this.elicitations.get(keyOf(server, id)));
  }

  addClientTask(holder: Holder, connection: Connection, id: string): void {
    const tasks =
      this.clientTasks.get(connection) ?? new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
    this.clientTasks.set(connection, tasks);
    tasks.set(id, this.recordOf(holder), holder.principal.id, weightOf(id));
  }

  ownerOfClientTask(connection: Connection, id: string): Owner<Holder> {
    return ownerFromRecord(this.clientTasks.get(connection)?.get(id));
  }

  /** Releases a disconnected client. Its records then belong only to its principal. */
  forgetClient(holder: Holder): void {
    const record = this.ownerRecords.get(holder);
    if (record !== undefined) record.client = undefined;
  }

  /**
   * Forgets the tasks and elicitations of a server that has restarted or been removed, because it may reuse their ids.
   */
  forgetServer(server: IdIssuer): void {
    const prefix = keyOf(server, '');
    this.ledger.forget(server);
    this.tasks.deleteWhere((key) => key.startsWith(prefix));
    this.elicitations.deleteWhere((key) => key.startsWith(prefix));
  }

  private recordOf(client: Holder): OwnerRecord<Holder> {
    const record = this.ownerRecords.get(client) ?? { client, principal: client.principal.id };
    this.ownerRecords.set(client, record);
    return record;
  }
}

function ownerFromRecord<Holder>(record: OwnerRecord<Holder> | undefined): Owner<Holder> {
  if (record === undefined) return 'unknown';
  return record.client === undefined ? 'gone' : { client: record.client };
}

/**
 * Returns a key that is unique across servers. It is unambiguous, because a server name cannot contain a line break.
 */
function keyOf({ name, layer }: IdIssuer, id: string): string {
  return `${layer.keyFor(name)}\n${id}`;
}

function weightOf(id: string): number {
  return Math.ceil(id.length / ID_LENGTH_PER_RECORD);
}
