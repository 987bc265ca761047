import type { ModernListenRequests } from './modern-listens.js';
import { answerComplete, envelopeMember, sendProgress } from './modern-server.js';
import { lineOf, notify, textResult, write } from './output.js';
import type { Tool, ToolCall } from './raw-server.js';

/** Tools with ordinary results. */
const PLAIN_TOOLS: readonly Tool[] = [
  {
    name: 'echo',
    input: { message: 'string' },
    call: ({ id, arguments: { message } }) => respond(id, String(message)),
  },
  { name: 'count', input: { n: 'integer' }, call: answerCountCall },
  { name: 'log', input: { level: 'string' }, call: answerLogCall },
];

/** Tools with an unusual response or without a response. */
const ODD_TOOLS: readonly Tool[] = [
  { name: 'wait', call: () => undefined },
  {
    name: 'lacks',
    call: ({ id }) =>
      write(
        lineOf({
          id,
          error: { code: -32021, message: 'needs input', data: { requiredCapabilities: { sampling: {} } } },
        }),
      ),
  },
  {
    name: 'ask',
    call: ({ id }) => (write(lineOf({ id: 'own-1', method: 'roots/list' })), respond(id, 'asked')),
  },
];

const ARRAY_TOOL: Tool = {
  name: 'array',
  extraMembers: {
    outputSchema: { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } },
  },
  call: ({ id }) => answerComplete(id, { content: [], structuredContent: [1.0, 2] }),
};

/** Returns the tools of the fixture `modern`, some of which change the fixture's lists or return the received lines. */
export function modernTools(listenRequests: ModernListenRequests, receivedLines: readonly string[]): Tool[] {
  const tools: Tool[] = [
    ...PLAIN_TOOLS,
    {
      name: 'heard',
      call: ({ id }) =>
        answerComplete(id, { content: receivedLines.map((it) => ({ type: 'text', text: it })) }),
    },
    { name: 'listens', call: ({ id }) => respond(id, JSON.stringify(listenRequests.history)) },
    { name: 'end_listens', call: ({ id }) => (listenRequests.endAll(), respond(id, 'ended')) },
    ARRAY_TOOL,
    {
      name: 'touch',
      input: { uri: 'string' },
      call: ({ id, arguments: { uri } }) => (
        listenRequests.notifyResourceUpdated(String(uri)),
        respond(id, 'touched')
      ),
    },
    {
      name: 'add_tool',
      input: { name: 'string' },
      call({ id, arguments: { name } }) {
        tools.push({ name: String(name), call: (call) => respond(call.id, String(name)) });
        listenRequests.notifyListChanged('tools');
        respond(id, 'added');
      },
    },
    ...ODD_TOOLS,
  ];
  return tools;
}

function respond(id: string | number, said: string): void {
  answerComplete(id, textResult(said));
}

function answerCountCall(call: ToolCall): void {
  const total = Number(call.arguments['n']);
  for (let step = 1; step <= total; step += 1) sendProgress(call, step, total);
  respond(call.id, String(total));
}

function answerLogCall({ id, params, arguments: { level, data } }: ToolCall): void {
  // Log messages are sent only if this request asks for them.
  if (envelopeMember(params, 'logLevel') !== undefined)
    notify('notifications/message', { level, logger: 'main', data });
  respond(id, String(envelopeMember(params, 'logLevel')));
}
