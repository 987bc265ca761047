import type { ModernListens } from '../raw/modern-listens.js';
import { answerComplete, envelopeOf } from '../raw/modern-server.js';
import { notify } from '../raw/output.js';
import type { Tool, ToolCall } from '../raw/raw-server.js';
import { ASKING_TOOLS, type Asking } from './asking-tools.js';
import { TRIGGERS, type GrowingList, type GrowingLists } from './growing-lists.js';
import { play } from './rounds.js';
import { text } from './samples.js';
import { TOOLS, X_HEADER_TOOL } from './tools.js';

/** The tools of the scenarios, in the way of 2026-07-28. */
export function modernTools(lists: GrowingLists, listens: ModernListens): readonly Tool[] {
  const trigger = (list: GrowingList) => (call: ToolCall) => {
    lists.grow(list);
    say(call, `the ${list} have changed`);
    listens.listChanged(list);
  };
  const tools: readonly Tool[] = [
    ...Object.keys(TOOLS).map((name) => ({ name, call: (call: ToolCall) => void run(call, name) })),
    ...Object.entries(ASKING_TOOLS).map(([name, asking]) => ({ name, call: asks(asking) })),
    {
      name: X_HEADER_TOOL.name,
      extra: { inputSchema: X_HEADER_TOOL.inputSchema },
      call: (call) => say(call, `region=${String(call.arguments['region'])}`),
    },
    ...Object.entries(TRIGGERS).map(([name, list]) => ({ name, call: trigger(list) })),
    ...lists.names('tools').map((name) => ({ name, call: trigger('tools') })),
  ];
  return tools.map(described);
}

function say({ id }: ToolCall, answer: string): void {
  answerComplete(id, { content: [text(answer)] });
}

function asks(asking: Asking): (call: ToolCall) => void {
  return (call) => play(asking, call, (answer) => say(call, answer));
}

function described(tool: Tool): Tool {
  return { ...tool, extra: { description: tool.name, ...tool.extra } };
}

async function run({ id, params, arguments: args }: ToolCall, name: string): Promise<void> {
  const { _meta: meta } = params;
  const wantsLogs = envelopeOf(params, 'logLevel') !== undefined;
  try {
    const content = await TOOLS[name]?.({
      args,
      progressToken: meta?.progressToken,
      notify: (method, given) => {
        if (method !== 'notifications/message' || wantsLogs) notify(method, given);
        return Promise.resolve();
      },
    });
    answerComplete(id, { content });
  } catch (error) {
    answerComplete(id, { content: [text(String(error))], isError: true });
  }
}
