/** A JSON-RPC request id. */
export type RequestId = string | number;

/** The notifications that a client of the modern era can subscribe to. */
export interface ListenFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** The parameters that fixtures read. */
export interface Params {
  readonly protocolVersion?: string;
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly cursor?: string;
  readonly requestId?: RequestId;
  readonly reason?: string;
  readonly uri?: string;
  readonly taskId?: string;
  readonly task?: { readonly ttl?: number };
  readonly level?: string;
  readonly ref?: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly argument?: { readonly name: string; readonly value: string };
  readonly progressToken?: RequestId;
  readonly notifications?: ListenFilter;
  readonly inputResponses?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly requestState?: string;
  readonly _meta?: { readonly progressToken?: RequestId; readonly [key: string]: unknown };
}

/** A parsed message. Fixtures trust their client and do not validate messages. */
export interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: unknown;
}
