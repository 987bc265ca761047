import { FairMap } from '@mcpmux/kit';
import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { TaskLedger } from './task-ledger.js';

/** The maximum number of owner records; the oldest are evicted. Servers choose ids, so a long id counts as several. */
const MAX_OWNER_RECORDS = { perOwner: 10_000, all: 100_000 };
const ID_LENGTH_PER_RECORD = 256;

/** The principals without credentials. Clients may share one. Only these clients can use tasks of unknown owners. */
const PRINCIPALS_WITHOUT_CREDENTIALS: ReadonlySet<Principal> = new Set([LOCAL, HOST, ANYBODY]);

/** The owner of tasks and elicitations. The record outlives the client without retaining it in memory. */
interface OwnerRecord<Holder> {
  client: Holder | undefined;
  /** The id of the client's principal, which owns the record after the client has disconnected. */
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
  private readonly ownerRecords = new WeakMap<Holder, OwnerRecord<Holder>>();
  /** The tasks that servers run, by server and the id that clients know. */
  private readonly tasks = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The elicitations by server and id, because two servers may choose the same id. */
  private readonly elicitations = new FairMap<string, OwnerRecord<Holder>>(MAX_OWNER_RECORDS);
  /** The tasks that clients run for servers, by the client's id. */
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
   * True for a task of another client or, after that client has disconnected, of another principal. For a task without
   * a known owner, such as a task from before a restart of mcpmux, true if the caller has credentials, because the
   * owner may be another principal with credentials.
   */
  isForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    if (this.tasks.get(keyOf(server, id)) !== undefined) return this.isKnownForeignTask(caller, server, id);
    return !PRINCIPALS_WITHOUT_CREDENTIALS.has(caller.principal);
  }

  /** Like {@link isForeignTask}, but false for an id that belongs to no known task. */
  isKnownForeignTask(caller: Holder, server: IdIssuer, id: string): boolean {
    const record = this.tasks.get(keyOf(server, id));
    if (record === undefined) return false;
    return record.client === undefined ? record.principal !== caller.principal.id : record.client !== caller;
  }

  /**
   * True if `tasks/list` shows the task to the client. A frontend without credentials has many clients with one
   * principal. None of them may learn the ids of another client's tasks, which have no other protection.
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

  /** Releases a disconnected client. Its tasks and elicitations pass to no other client. */
  forgetClient(holder: Holder): void {
    const record = this.ownerRecords.get(holder);
    if (record !== undefined) record.client = undefined;
  }

  /** Forgets a server that has restarted or was removed, because it may reuse its ids. */
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

/** A server name cannot contain a line break, so the key is unambiguous. */
function keyOf({ name, layer }: IdIssuer, id: string): string {
  return `${layer.keyFor(name)}\n${id}`;
}

function weightOf(id: string): number {
  return Math.ceil(id.length / ID_LENGTH_PER_RECORD);
}
