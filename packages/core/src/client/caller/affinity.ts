import { FairMap } from '@mcpmux/kit';
import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { TaskLedger } from './task-ledger.js';

/** The limits on owner records, per owner and in total; the oldest are evicted. A long id counts as several records. */
const MAX_OWNER_RECORDS = { perOwner: 10_000, all: 100_000 };
const ID_LENGTH_PER_RECORD = 256;

/** The principals without credentials, which clients may share. Only they can use tasks whose owner is unknown. */
const PRINCIPALS_WITHOUT_CREDENTIALS: ReadonlySet<Principal> = new Set([LOCAL, HOST, ANYBODY]);

/** The owner of tasks and elicitations. The record outlives the client, but does not retain it in memory. */
interface OwnerRecord<Holder> {
  client: Holder | undefined;
  /** The id of the client's principal, which owns the tasks and elicitations after the client has disconnected. */
  readonly principal: string;
}

/** The owner of a task or an elicitation: a connected client, a disconnected client, or an unknown client. */
export type Owner<Holder> = { readonly client: Holder } | 'gone' | 'unknown';

/** The fields of a server that distinguish its ids from other servers' ids. */
type IdIssuer = Pick<Upstream, 'name' | 'layer'>;

/** Records the owners of tasks and elicitations, because later messages about them carry only an id. */
export class Affinity<Holder extends { readonly principal: Principal }> {
  /** The tasks as last reported to clients, for servers that cannot report them themselves. */
  readonly ledger = new TaskLedger();
  private readonly ownerRecords = new WeakMap<Holder, OwnerRecord<Holder>>();
  /** The owners of the tasks that servers run, by server and by the id that clients know. */
  private readonly tasks = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The owners of elicitations, by server and id, because two servers may choose the same id. */
  private readonly elicitations = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The owners of the tasks that clients run for servers, by connection and by the client's task id. */
  private readonly clientTasks = new WeakMap<Connection, FairMap<string, OwnerRecord<Holder>>>();

  /** @param id the id that clients know */
  addTask(holder: Holder, server: IdIssuer, id: string): void {
    this.tasks.set(keyOf(server, id), this.recordOf(holder), holder.principal.id, weightOf(id));
  }

  /**
   * Records a task that a request without a connection has created. The task belongs to all requests of the principal.
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
   * True for a task that belongs to another client or, once that client has disconnected, to another principal. A task
   * without a known owner, such as one from before a restart of mcpmux, is foreign if the caller has credentials,
   * because its owner may be another principal with credentials.
   */
  isForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.tasks.get(keyOf(server, id)) !== undefined) return this.isKnownForeignTask(caller, server, id);
    return !PRINCIPALS_WITHOUT_CREDENTIALS.has(caller.principal);
  }

  /** Like {@link isForeignTask}, but false for a task without a known owner. */
  isKnownForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    const record = this.tasks.get(keyOf(server, id));
    if (record === undefined) return false;
    return record.client === undefined ? record.principal !== caller.principal.id : record.client !== caller;
  }

  /**
   * True if `tasks/list` may show the task to the client. On a frontend without credentials, many clients share one
   * principal. None of them may learn the id of another client's task, because only its id protects the task.
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

  /** Forgets the ids of a server that has restarted or was removed, because the server may reuse them. */
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

/** Returns the key of a server's id. A server name cannot contain a line break, so the key is unambiguous. */
function keyOf({ name, layer }: IdIssuer, id: string): string {
  return `${layer.keyFor(name)}\n${id}`;
}

function weightOf(id: string): number {
  return Math.ceil(id.length / ID_LENGTH_PER_RECORD);
}
