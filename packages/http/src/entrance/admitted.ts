import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Caller } from './caller.js';
import type { RequestHeaders } from './request-headers.js';

/** A request that was admitted. */
export interface Admitted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly caller: Caller;
}
