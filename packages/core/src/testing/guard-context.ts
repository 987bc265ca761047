import type { ClientUser, GuardContext, NestedCalls } from '../guards/guard.js';
import { LOCAL, type Principal } from '../guards/principal.js';

/** What a test says of a request; the rest does not matter to it. */
export interface GuardContextInit {
  readonly method?: string;
  readonly principal?: Principal;
  readonly server?: string;
  readonly serverScope?: string;
  readonly tool?: string;
  readonly serverVersion?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly isServerOfAgent?: boolean;
}

const NO_CALLS: NestedCalls = {
  listTools: () => [],
  findTool: () => undefined,
  call: () => Promise.reject(new Error('the test calls no tools')),
  sendProgress: () => undefined,
};

const NO_USER: ClientUser = {
  takesForms: false,
  takesUrls: false,
  elicit: () => Promise.reject(new Error('the test asks no user')),
  urlVisited: () => undefined,
};

/** A request as guards see it: a call of a tool if not said otherwise. */
export function guardContext({
  method = 'tools/call',
  principal = LOCAL,
  server,
  serverScope = '',
  tool,
  serverVersion = '1',
  params = {},
  definition,
  signal = new AbortController().signal,
  isServerOfAgent = false,
}: GuardContextInit = {}): GuardContext {
  return {
    method,
    principal,
    server,
    serverScope,
    tool,
    serverVersion,
    signal,
    session: 1,
    bytes: 100,
    params,
    readRaw: (member) => (member in params ? Buffer.from(JSON.stringify(params[member])) : undefined),
    sentArguments: (args) => args,
    definition,
    isVisible: true,
    isNested: false,
    nested: NO_CALLS,
    era: 'legacy',
    hasSession: true,
    isFromNode: false,
    isServerOfAgent,
    isApprovedByNode: false,
    toolIdentity: definition && { server: server ?? '', definition: JSON.stringify([tool, definition]) },
    user: NO_USER,
  };
}
