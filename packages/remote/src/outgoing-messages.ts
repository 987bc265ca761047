import { isDeepStrictEqual } from 'node:util';

import { keyPaths, MessageReader, readIssuedId, type Span } from '@mcpmux/wire';

import type { RemoteMessage } from './remote-transport.js';
import type { RequestHeaders } from './request-headers.js';

/** A message to the server. */
export interface OutgoingMessage extends RemoteMessage {
  /** The id of the request that the message cancels, if any. */
  readonly cancelledId: number | undefined;
}

const NEWLINE = 0x0a;
const CANCELLED_METHOD = 'notifications/cancelled';
const CANCELLED_ID_PATH = 'requestId';

/** Parses the lines sent to a server. Each line becomes an HTTP request. */
export class OutgoingMessages {
  private messageReader = new MessageReader(keyPaths([CANCELLED_ID_PATH]));
  private requestHeaders: RequestHeaders | undefined;

  setHeaders(headers: RequestHeaders): void {
    this.requestHeaders = headers;
    this.messageReader = new MessageReader(keyPaths([CANCELLED_ID_PATH, ...headers.paths]));
  }

  /** Resolves to the rejected request with updated headers, or to undefined if its headers do not change. */
  async withRenewedHeaders({ line, headers: previous }: RemoteMessage): Promise<RemoteMessage | undefined> {
    await this.requestHeaders?.renew(line);
    const renewedMessage = this.read(line);
    return isDeepStrictEqual(renewedMessage.headers, previous) ? undefined : renewedMessage;
  }

  read(line: Buffer): OutgoingMessage {
    const message = this.messageReader.read(line);
    const body = line.at(-1) === NEWLINE ? line.subarray(0, -1) : line;
    const idAt = (span: Span | undefined): number | undefined => span && readIssuedId(line, span);
    if (message.kind === 'request') {
      const { method, id } = message;
      return {
        line: body,
        method,
        id: idAt(id),
        cancelledId: undefined,
        headers: this.requestHeaders?.of(line, message),
      };
    }
    if (message.kind !== 'notification')
      return { line: body, method: undefined, id: undefined, cancelledId: undefined };
    const { method, params } = message;
    const cancelledId = method === CANCELLED_METHOD ? idAt(params.get(CANCELLED_ID_PATH)) : undefined;
    return { line: body, method, id: undefined, cancelledId };
  }
}
