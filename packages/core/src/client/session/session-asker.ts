import { paramText, type OutgoingLine, type RawId } from '@mcpmux/wire';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { ServerRequestEvent, Asker } from '../asks/asker.js';
import { relatedTaskEdits, serverRequestEdits, createdTaskIn } from '../asks/server-request-edits.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { RootsCache } from '../caller/roots-cache.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { Session } from './session.js';

/** The dependencies of {@link SessionAsker}, shared by all sessions. */
export interface SessionAnswers {
  readonly roots: RootsCache<Caller>;
  readonly affinity: Affinity<Session>;
  readonly dialect: Pick<ClientDialect, 'rootsRequest'>;
}

/** Sends the requests of servers to the client of a session, over its connection. */
export class SessionAsker implements Asker {
  constructor(
    readonly client: Session,
    private readonly answers: SessionAnswers,
  ) {}

  get isWaiting(): boolean {
    return false;
  }

  get size(): number {
    return this.client.serverRequests.size;
  }

  get capabilities(): Asker['capabilities'] {
    return this.client.profile?.capabilities ?? {};
  }

  cachedAnswer({ connection, upstream, message }: ServerRequestEvent, id: RawId): OutgoingLine | undefined {
    const { roots, dialect } = this.answers;
    if (message.method !== dialect.rootsRequest) return undefined;
    return roots.answer(this.client, id, upstream, connection);
  }

  missingCapability(): void {
    // Not recorded, because the refusal names the capability.
  }

  ask(ask: ServerRequestEvent, serverId: RawId): void {
    const { connection, line, message: request, upstream } = ask;
    const { client } = this;
    const { roots, affinity, dialect } = this.answers;
    const { method, params } = request;
    const elicitation = paramText(line, request, 'elicitationId');
    if (elicitation !== undefined) affinity.addElicitation(client, upstream, elicitation);
    client.serverRequests.ask(connection, {
      line,
      request,
      serverId,
      edits: serverRequestEdits(ask, this.capabilities),
      readResult: (answer, result) => {
        if (method === dialect.rootsRequest) roots.storeResult(client, answer, result);
        const task = params.has('task') ? createdTaskIn(answer, result) : undefined;
        if (task !== undefined) affinity.addClientTask(client, connection, task);
        return params.has(RELATED_TASK_PATH) ? relatedTaskEdits(answer, result) : [];
      },
    });
  }
}
