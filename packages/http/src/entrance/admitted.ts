import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Caller } from './caller.js';
import type { RequestHeaders } from './request-headers.js';

/** A request that has passed all of the entrance's checks, and its caller. */
export interface Admitted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly caller: Caller;
}
