import { paramText, type OutgoingLine, type RawId } from '@mcpmux/wire';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { ServerRequestEvent, Asker } from '../asks/asker.js';
import { relatedTaskEdits, serverRequestEdits, createdTaskId } from '../asks/server-request-edits.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { RootsCache } from '../caller/roots-cache.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { Session } from './session.js';

/** The dependencies that all {@link SessionAsker} objects share. */
export interface SessionAskerParts {
  readonly roots: RootsCache<Caller>;
  readonly affinity: Affinity<Session>;
  readonly dialect: Pick<ClientDialect, 'rootsMethod'>;
}

/** Sends servers' requests to a session's client, over its connection. */
export class SessionAsker implements Asker {
  constructor(
    readonly client: Session,
    private readonly parts: SessionAskerParts,
  ) {}

  get isWaiting(): boolean {
    return false;
  }

  get pendingCount(): number {
    return this.client.serverRequests.pendingCount;
  }

  get capabilities(): Asker['capabilities'] {
    return this.client.profile?.capabilities ?? {};
  }

  cachedAnswer({ connection, upstream, message }: ServerRequestEvent, id: RawId): OutgoingLine | undefined {
    const { roots, dialect } = this.parts;
    if (message.method !== dialect.rootsMethod) return undefined;
    return roots.cachedAnswer(this.client, id, upstream, connection);
  }

  recordMissingCapability(): void {
    // Not recorded, because the error itself names the capability.
  }

  ask(ask: ServerRequestEvent, serverId: RawId): void {
    const { connection, line, message: request, upstream } = ask;
    const { client } = this;
    const { roots, affinity, dialect } = this.parts;
    const { method, params } = request;
    const elicitationId = paramText(line, request, 'elicitationId');
    if (elicitationId !== undefined) affinity.addElicitation(client, upstream, elicitationId);
    client.serverRequests.ask(connection, {
      line,
      request,
      serverId,
      edits: serverRequestEdits(ask, this.capabilities),
      readResult: (answer, result) => {
        if (method === dialect.rootsMethod) roots.storeResult(client, answer, result);
        const taskId = params.has('task') ? createdTaskId(answer, result) : undefined;
        if (taskId !== undefined) affinity.addClientTask(client, connection, taskId);
        return params.has(RELATED_TASK_PATH) ? relatedTaskEdits(answer, result) : [];
      },
    });
  }
}
