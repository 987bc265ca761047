import {
  type Edit,
  ErrorCode,
  errorLine,
  notificationLine,
  type RawId,
  resultLine,
  type Span,
  splice,
} from '@mcpmux/wire';
import { clientlessResult } from '../../server/dialect/client-requests.js';
import type { OpenRequest, ServerResponse } from '../../server/link/pending-call.js';
import type { Connection } from '../../server/link/connection.js';

/** The client that receives a server's request. */
export interface ServerRequestRecipient {
  /** Withdraws a request that needs no answer now. `line` notifies the client; `from` is the server's connection. */
  withdraw(id: RawId, line: Buffer, from: Connection): void;
}

/** The data of a server's request that is needed to return the client's answer to the server. */
export interface ForwardedRequestInit {
  /** The request's id as the server sent it, byte for byte. */
  readonly serverId: RawId;
  /** The request's id as sent to the client, where it also serves as the progress token. */
  readonly clientId: RawId;
  readonly method: string;
  /** The server's progress token, byte for byte. */
  readonly progressToken: Buffer | undefined;
  /** Reads the client's result and returns the edits that adapt it for the server. */
  readonly readResult: (line: Buffer, result: Span) => readonly Edit[];
}

/** A server's request, forwarded to one client. Restores the server's id and progress token in replies. */
export class ForwardedServerRequest implements OpenRequest {
  constructor(
    private readonly client: ServerRequestRecipient,
    private readonly connection: Connection,
    private readonly init: ForwardedRequestInit,
  ) {}

  handleResponse(line: Buffer, { id, result, error }: ServerResponse): void {
    const { serverId, readResult } = this.init;
    if (result === undefined && error === undefined)
      return this.fail('its answer has neither a result nor an error');
    this.connection.requests.respond(serverId, () => {
      const edits: Edit[] = [{ span: id, bytes: serverId }];
      if (result !== undefined) edits.push(...readResult(line, result));
      return splice(line, edits);
    });
  }

  handleProgress(line: Buffer, token: Span): void {
    const { serverId, progressToken } = this.init;
    if (progressToken === undefined) return;
    this.connection.requests.sendProgress(serverId, () =>
      splice(line, [{ span: token, bytes: progressToken }]),
    );
  }

  /** Answers the server with an error that says why the client gave no valid answer. */
  fail(problem: string): void {
    const message = `The client behind mcpmux did not answer: ${problem}`;
    const { serverId } = this.init;
    this.connection.requests.respond(serverId, () =>
      errorLine(serverId, { code: ErrorCode.InternalError, message }),
    );
  }

  /** Answers the server on behalf of a disconnected client: cancels an elicitation, and fails any other request. */
  handleClientDisconnect(): void {
    const { serverId, method } = this.init;
    const refusal = clientlessResult(method);
    if (refusal === undefined) return this.fail('it has gone');
    this.connection.requests.respond(serverId, () => resultLine(serverId, refusal));
  }

  onCancelled(notification: Buffer, requestId: Span): void {
    const { clientId } = this.init;
    const line = splice(notification, [{ span: requestId, bytes: clientId }]);
    this.client.withdraw(clientId, line, this.connection);
  }

  onRunEnd(): void {
    const { clientId } = this.init;
    const params = { requestId: JSON.parse(clientId) as unknown, reason: 'the server has stopped' };
    this.client.withdraw(clientId, notificationLine('notifications/cancelled', params), this.connection);
  }
}
