import type { ModernListens } from '../raw/modern-listens.js';
import { answerComplete, envelopeOf } from '../raw/modern-server.js';
import { notify } from '../raw/output.js';
import type { Tool, ToolCall } from '../raw/raw-server.js';
import { ASKING_TOOLS, type InteractiveCall } from './asking-tools.js';
import { TRIGGERS, type GrowingList, type GrowingLists } from './growing-lists.js';
import { playRound } from './rounds.js';
import { text } from './samples.js';
import { TOOLS, X_HEADER_TOOL } from './tools.js';

/** Returns the tools of the conformance scenarios for 2026-07-28. */
export function modernTools(lists: GrowingLists, listens: ModernListens): readonly Tool[] {
  const trigger = (list: GrowingList) => (call: ToolCall) => {
    lists.grow(list);
    respond(call, `the ${list} have changed`);
    listens.listChanged(list);
  };
  const tools: readonly Tool[] = [
    ...Object.keys(TOOLS).map((name) => ({ name, call: (call: ToolCall) => void run(call, name) })),
    ...Object.entries(ASKING_TOOLS).map(([name, asking]) => ({ name, call: callInteractively(asking) })),
    {
      name: X_HEADER_TOOL.name,
      extra: { inputSchema: X_HEADER_TOOL.inputSchema },
      call: (call) => respond(call, `region=${String(call.arguments['region'])}`),
    },
    ...Object.entries(TRIGGERS).map(([name, list]) => ({ name, call: trigger(list) })),
    ...lists.names('tools').map((name) => ({ name, call: trigger('tools') })),
  ];
  return tools.map(withDescription);
}

function respond({ id }: ToolCall, answer: string): void {
  answerComplete(id, { content: [text(answer)] });
}

function callInteractively(asking: InteractiveCall): (call: ToolCall) => void {
  return (call) => playRound(asking, call, (answer) => respond(call, answer));
}

function withDescription(tool: Tool): Tool {
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
