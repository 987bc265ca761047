import type { Message, OutgoingLine, RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { RequestOrigin } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** The members of a message that show whether its client describes itself in each request. */
export type Claimed = Pick<Extract<Message, { kind: 'request' }>, 'method' | 'params'>;

/** A request as it arrived from a client. */
export interface IncomingRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly request: Extract<Message, { kind: 'request' }>;
}

/** The open exchanges of the connection, or of the single message, that a request arrived on. */
export interface ExchangeTable {
  readonly caller: RequestOrigin;
  /** Adds an exchange and handles it. */
  begin(exchange: Exchange): void;
  /** Adds an exchange that is already running, under the id of a further request. */
  resume(id: RawId, exchange: Exchange): void;
  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
}
