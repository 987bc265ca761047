import { isDeepStrictEqual } from 'node:util';

import { keyPaths, MessageReader, readIssuedId, type Span } from '@mcpmux/wire';

import type { RemoteMessage } from './remote-transport.js';
import type { RequestHeaders } from './request-headers.js';

/** A message for the server. */
export interface OutgoingMessage extends RemoteMessage {
  /** The id of the request that the message cancels. */
  readonly cancels: number | undefined;
}

const NEWLINE = 0x0a;
const CANCELLED = 'notifications/cancelled';
const CANCELLED_ID = 'requestId';

/** Parses the outgoing lines to a server. Each line becomes an HTTP request. */
export class OutgoingMessages {
  private messages = new MessageReader(keyPaths([CANCELLED_ID]));
  private headers: RequestHeaders | undefined;

  headersBy(headers: RequestHeaders): void {
    this.headers = headers;
    this.messages = new MessageReader(keyPaths([CANCELLED_ID, ...headers.paths]));
  }

  /** Resolves with the refused request and updated headers, or with undefined if the headers do not change. */
  async withRenewedHeaders({ line, headers: previous }: RemoteMessage): Promise<RemoteMessage | undefined> {
    await this.headers?.renew(line);
    const repeated = this.read(line);
    return isDeepStrictEqual(repeated.headers, previous) ? undefined : repeated;
  }

  read(line: Buffer): OutgoingMessage {
    const message = this.messages.read(line);
    const body = line.at(-1) === NEWLINE ? line.subarray(0, -1) : line;
    const idAt = (span: Span | undefined): number | undefined => span && readIssuedId(line, span);
    if (message.kind === 'request') {
      const { method, id } = message;
      return {
        line: body,
        method,
        id: idAt(id),
        cancels: undefined,
        headers: this.headers?.of(line, message),
      };
    }
    if (message.kind !== 'notification')
      return { line: body, method: undefined, id: undefined, cancels: undefined };
    const { method, params } = message;
    const cancels = method === CANCELLED ? idAt(params.get(CANCELLED_ID)) : undefined;
    return { line: body, method, id: undefined, cancels };
  }
}
