import { keyPaths, type ParamSpans, readMessage, type Span, stringAt } from '@mcpmux/wire';

/** The tool that calls any other tool by its name, for clients that ignore changes to the tool list. */
export const CALL_TOOL = 'call_tool';

const CALL_PATHS = keyPaths([
  'arguments',
  'arguments.name',
  'arguments.arguments',
  '_meta',
  'task',
  'requestState',
  'inputResponses',
]);
const USAGE = `call it with {"name": "{server}__{tool}", "arguments": {…}}`;

/**
 * Returns the `tools/call` request that a call to `call_tool` contains, as a line of its own, or the call's problem.
 */
export function unwrapCallTool(line: Buffer): { readonly line: Buffer } | { readonly problem: string } {
  const message = readMessage(line, CALL_PATHS);
  if (message.kind !== 'request') return { problem: `The params of ${CALL_TOOL} cannot be read: ${USAGE}` };
  const { params, id } = message;
  const name = params.get('arguments.name');
  const text = name && stringAt(line, name);
  if (name === undefined || text === undefined) return { problem: `The tool to call is missing: ${USAGE}` };
  if (text === CALL_TOOL) return { problem: `${CALL_TOOL} cannot call itself: ${USAGE}` };
  return { line: toolCallLine(line, id, name, params) };
}

function toolCallLine(line: Buffer, id: Span, name: Span, params: ParamSpans): Buffer {
  const bytesAt = ({ start, end }: Span): Buffer => line.subarray(start, end);
  const chunks: Buffer[] = [
    Buffer.from('{"jsonrpc":"2.0","id":'),
    bytesAt(id),
    Buffer.from(',"method":"tools/call","params":{"name":'),
    bytesAt(name),
  ];
  const members = [
    ['arguments', params.get('arguments.arguments')],
    ['task', params.get('task')],
    ['_meta', params.get('_meta')],
    ['requestState', params.get('requestState')],
    ['inputResponses', params.get('inputResponses')],
  ] as const;
  for (const [key, span] of members) {
    if (span !== undefined) chunks.push(Buffer.from(`,"${key}":`), bytesAt(span));
  }
  chunks.push(Buffer.from('}}'));
  return Buffer.concat(chunks);
}
