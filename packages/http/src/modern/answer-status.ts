import { ErrorCode, readMessage, valuePaths, valueSpans } from '@mcpmux/wire';

/**
 * Methods that every server of these revisions may have. For these methods, -32601 is a normal response from a server.
 */
const METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

const OK = 200;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** The codes for invalid HTTP requests. */
const BAD: ReadonlySet<number | undefined> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingCapability,
  ErrorCode.UnsupportedVersion,
]);

const CODE = 'code';
const ENVELOPE = 'data.envelope';
const WANTED = valuePaths([['code'], ['data', 'envelope']]);

/** Returns the status of the response to a request if this line is the first and only line of the response. */
export function answerStatus(method: string, line: Buffer): number {
  if (!line.includes('"error"')) return OK;
  const message = readMessage(line, []);
  if (message.kind !== 'response' || message.error === undefined) return OK;
  const found = new Map(valueSpans(line, message.error, WANTED).map(({ path, span }) => [path, span]));
  const at = found.get(CODE);
  const code = at && Number(line.toString('latin1', at.start, at.end));
  if (code === ErrorCode.MethodNotFound) return METHODS.has(method) ? OK : NOT_FOUND;
  const isBad = code === ErrorCode.InvalidParams ? found.has(ENVELOPE) : BAD.has(code);
  return isBad ? BAD_REQUEST : OK;
}
