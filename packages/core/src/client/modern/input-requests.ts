import { type Edit, JsonReader, readMessage, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { serverRequestEdits } from '../asks/server-request-edits.js';
import type { ServerRequest } from '../../server/link/pending-call.js';
import { SERVER_MESSAGE_PATHS } from '../../server/link/server-paths.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { deniedKind, inputKindOf, missingCapability } from '../../server/dialect/client-requests.js';

/** A question in the result of a call: one entry of `inputRequests`. */
export interface InputRequest {
  /** The question's key in `inputRequests`, as JSON text. */
  readonly key: string;
  /** The question as a separate request line with a placeholder id. */
  readonly line: Buffer;
  readonly message: ServerRequest;
  /** The number to add to an offset in the params of `line` to get the corresponding offset in the result. */
  readonly shift: number;
}

const OPEN_BRACE = 0x7b;
const REQUEST_MEMBER_PATHS = valuePaths([['method'], ['params']]);

/** The maximum number of questions in one result, because parsing them blocks the event loop. */
const MAX_QUESTIONS = 1000;

/** Returns the questions in the object at `span`; undefined if an entry is not a question or there are over 1,000. */
export function readInputRequests(line: Buffer, span: Span): readonly InputRequest[] | undefined {
  if (line[span.start] !== OPEN_BRACE) return undefined;
  const reader = new JsonReader(line);
  const requests: (InputRequest | undefined)[] = [];
  reader.object(span.start, 0, (keyStart, keyEnd, start, depth) => {
    const end = reader.value(start, depth);
    if (requests.length > MAX_QUESTIONS) return end;
    requests.push(inputRequestFrom(line, line.toString('utf8', keyStart - 1, keyEnd + 1), { start, end }));
    return end;
  });
  if (requests.length > MAX_QUESTIONS) return undefined;
  const readableRequests = requests.filter((request) => request !== undefined);
  return readableRequests.length === requests.length ? readableRequests : undefined;
}

function inputRequestFrom(line: Buffer, key: string, value: Span): InputRequest | undefined {
  if (line[value.start] !== OPEN_BRACE) return undefined;
  const memberSpans = new Map(
    valueSpans(line, value, REQUEST_MEMBER_PATHS).map(({ path, span }) => [path, span]),
  );
  const method = memberSpans.get('method');
  const params = memberSpans.get('params');
  if (method === undefined) return undefined;
  const methodJson = line.subarray(method.start, method.end);
  const head = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":0,"method":'), methodJson]);
  const prefix = params === undefined ? head : Buffer.concat([head, Buffer.from(',"params":')]);
  const paramsJson = params === undefined ? Buffer.alloc(0) : line.subarray(params.start, params.end);
  const question = Buffer.concat([prefix, paramsJson, Buffer.from('}')]);
  const message = readMessage(question, SERVER_MESSAGE_PATHS);
  const shift = params === undefined ? 0 : params.start - prefix.length;
  return message.kind === 'request' ? { key, line: question, message, shift } : undefined;
}

/** Returns the reason why a server may not ask a question, or undefined if it may. */
export function inputProblem(
  { line, message }: InputRequest,
  { config }: Pick<Upstream, 'config'>,
  capabilities: ClientProfile['capabilities'],
): string | undefined {
  const { method, params } = message;
  if (inputKindOf(method) === undefined) return `it asks for ${method}, which is no input`;
  const deniedInput = deniedKind(method, config.denyRequests ?? []);
  if (deniedInput !== undefined)
    return `it may not ask the client for ${deniedInput} (denyRequests in its configuration)`;
  return missingCapability(line, method, params, capabilities)?.message;
}

/** Returns the edits to make to a question before it is sent to the client, such as adding the server's name. */
export function inputEdits(
  { line, message }: InputRequest,
  upstream: Upstream,
  connection: Connection,
  capabilities: ClientProfile['capabilities'],
): readonly Edit[] {
  return serverRequestEdits({ upstream, connection, line, message }, capabilities);
}
