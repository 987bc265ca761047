import type { PostedBody, PostedMessage, PostedRequest } from './posted-body.js';

interface InitializeParams {
  readonly protocolVersion?: unknown;
  readonly capabilities?: unknown;
  readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown } | null;
}

/** Returns the `initialize` request if the body consists of it alone. */
export function openingRequest({ messages, isBatch }: PostedBody): PostedRequest | undefined {
  const [message] = messages;
  return !isBatch && message !== undefined && isInitialize(message) ? message : undefined;
}

/** True if a message has the method that opens a session. */
export function isInitialize(message: PostedMessage): message is PostedRequest {
  return message.kind === 'request' && message.method === 'initialize';
}

/** True if a message has all members that opening a session requires. */
export function opensSession(message: PostedMessage): boolean {
  if (!isInitialize(message)) return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the params are an object with unknown members
  const { params = {} } = JSON.parse(message.line.toString()) as { readonly params?: InitializeParams };
  const { protocolVersion, capabilities, clientInfo } = params;
  const isText = [protocolVersion, clientInfo?.name, clientInfo?.version].every(
    (text) => typeof text === 'string',
  );
  return isText && typeof capabilities === 'object' && capabilities !== null;
}
