import type { Connection } from '../../upstream/link/connection.js';
import type { Upstream } from '../../upstream/upstream.js';
import { BoundedMap } from '../../base/bounded-map.js';
import type { Session } from '../session/session.js';

/** Tasks and elicitations of which it is remembered whose they are; the oldest give way. */
const MAX_REMEMBERED = 10_000;

/** Stands for a client beyond its end, without keeping anything of it alive. */
interface Holder {
  session: Session | undefined;
}

/** Whose something is: a client's, that of one that has gone, or nobody knows. */
export type Owner = { readonly client: Session } | 'gone' | 'unknown';

/** A server by what its ids are told from those of others by. */
type IdGiver = Pick<Upstream, 'name' | 'scope'>;

/** Remembers which client tasks and elicitations belong to: later messages about them carry only an id. */
export class Affinity {
  private readonly holders = new WeakMap<Session, Holder>();
  /** Of tasks that servers run, by server and the id that clients know. */
  private readonly tasks = new BoundedMap<string, Holder>(MAX_REMEMBERED);
  /** By server, too: servers choose these ids, and may choose the same. */
  private readonly elicitations = new BoundedMap<string, Holder>(MAX_REMEMBERED);
  /** Of tasks that clients run for servers, by the client's id. */
  private readonly clientTasks = new WeakMap<Connection, BoundedMap<string, Holder>>();

  /** @param id as clients know it */
  taskMade(session: Session, server: IdGiver, id: string): void {
    this.tasks.set(keyOf(server, id), this.holderOf(session));
  }

  /** @param id as clients know it */
  ofTask(server: IdGiver, id: string): Owner {
    return ownerIn(this.tasks.get(keyOf(server, id)));
  }

  elicited(session: Session, server: IdGiver, id: string): void {
    this.elicitations.set(keyOf(server, id), this.holderOf(session));
  }

  ofElicitation(server: IdGiver, id: string): Owner {
    return ownerIn(this.elicitations.get(keyOf(server, id)));
  }

  clientTaskMade(session: Session, connection: Connection, id: string): void {
    const tasks = this.clientTasks.get(connection) ?? new BoundedMap<string, Holder>(MAX_REMEMBERED);
    this.clientTasks.set(connection, tasks);
    tasks.set(id, this.holderOf(session));
  }

  ofClientTask(connection: Connection, id: string): Owner {
    return ownerIn(this.clientTasks.get(connection)?.get(id));
  }

  /** A client has gone: what was its is nobody else's. */
  forgetSession(session: Session): void {
    const holder = this.holders.get(session);
    if (holder !== undefined) holder.session = undefined;
  }

  /** A server begins anew, or has been removed: it may give the same ids to other things. */
  forgetServer(server: IdGiver): void {
    const prefix = keyOf(server, '');
    this.tasks.deleteWhere((key) => key.startsWith(prefix));
    this.elicitations.deleteWhere((key) => key.startsWith(prefix));
  }

  private holderOf(session: Session): Holder {
    const holder = this.holders.get(session) ?? { session };
    this.holders.set(session, holder);
    return holder;
  }
}

function ownerIn(holder: Holder | undefined): Owner {
  if (holder === undefined) return 'unknown';
  return holder.session === undefined ? 'gone' : { client: holder.session };
}

/** No server name holds a line break. */
function keyOf({ name, scope }: IdGiver, id: string): string {
  return `${scope.key(name)}\n${id}`;
}
