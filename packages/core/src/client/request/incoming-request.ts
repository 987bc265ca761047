import type { Message, OutgoingLine, RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { RequestOrigin } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** The parts of a request that show whether its client describes itself in each request. */
export type RequestHead = Pick<Extract<Message, { kind: 'request' }>, 'method' | 'params'>;

/** A request as received from a client. */
export interface IncomingRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly request: Extract<Message, { kind: 'request' }>;
}

/** The open exchanges of the connection or of the single message that carried a request. */
export interface ExchangeTable {
  readonly caller: RequestOrigin;
  /** Adds an exchange and handles it. */
  begin(exchange: Exchange): void;
  /** Adds a running exchange under the id of its retry. */
  resume(id: RawId, exchange: Exchange): void;
  onAnswer(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
}
