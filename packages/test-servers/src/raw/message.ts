/** The id of a request as JSON-RPC allows it. */
export type RequestId = string | number;

/** The parameters that fixtures read. */
export interface Params {
  readonly protocolVersion?: string;
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly cursor?: string;
  readonly requestId?: RequestId;
  readonly reason?: string;
}

/** A parsed message; fixtures trust their client and do not validate it. */
export interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: unknown;
}
