import type { Message, OutgoingLine, RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { RequestOrigin } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** The parts of a request that show whether it is modern. */
export type RequestHead = Pick<Extract<Message, { kind: 'request' }>, 'method' | 'params'>;

/** A request as received from a client. */
export interface IncomingRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly request: Extract<Message, { kind: 'request' }>;
}

/** The open exchanges of a session or, for a client without a session, of a single message. */
export interface ExchangeTable {
  readonly caller: RequestOrigin;
  /** Registers a new exchange and dispatches it. */
  begin(exchange: Exchange): void;
  /** Registers an exchange that has already begun, under the id of the client's retry. */
  resume(id: RawId, exchange: Exchange): void;
  onAnswer(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
}
