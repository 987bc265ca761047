import type { ModernListenRequests } from '../raw/modern-listens.js';
import { answerComplete, envelopeMember } from '../raw/modern-server.js';
import { notify } from '../raw/output.js';
import type { Tool, ToolCall } from '../raw/raw-server.js';
import { ASKING_TOOLS, type InteractiveCall } from './asking-tools.js';
import { LIST_BY_TRIGGER_TOOL, type GrowingList, type GrowingLists } from './growing-lists.js';
import { askNextRound } from './rounds.js';
import { text } from './samples.js';
import { TOOLS, X_HEADER_TOOL } from './tools.js';

/** Returns the tools of the conformance scenarios for 2026-07-28. */
export function modernTools(lists: GrowingLists, listenRequests: ModernListenRequests): readonly Tool[] {
  const trigger = (list: GrowingList) => (call: ToolCall) => {
    lists.addEntry(list);
    respond(call, `the ${list} have changed`);
    listenRequests.notifyListChanged(list);
  };
  const tools: readonly Tool[] = [
    ...Object.keys(TOOLS).map((name) => ({ name, call: (call: ToolCall) => void runTool(call, name) })),
    ...Object.entries(ASKING_TOOLS).map(([name, asking]) => ({ name, call: callInteractively(asking) })),
    {
      name: X_HEADER_TOOL.name,
      extraMembers: { inputSchema: X_HEADER_TOOL.inputSchema },
      call: (call) => respond(call, `region=${String(call.arguments['region'])}`),
    },
    ...Object.entries(LIST_BY_TRIGGER_TOOL).map(([name, list]) => ({ name, call: trigger(list) })),
    ...lists.addedNames('tools').map((name) => ({ name, call: trigger('tools') })),
  ];
  return tools.map(withDescription);
}

function respond({ id }: ToolCall, answer: string): void {
  answerComplete(id, { content: [text(answer)] });
}

function callInteractively(asking: InteractiveCall): (call: ToolCall) => void {
  return (call) => askNextRound(asking, call, (answer) => respond(call, answer));
}

function withDescription(tool: Tool): Tool {
  return { ...tool, extraMembers: { description: tool.name, ...tool.extraMembers } };
}

async function runTool({ id, params, arguments: args }: ToolCall, name: string): Promise<void> {
  const { _meta: meta } = params;
  const wantsLogs = envelopeMember(params, 'logLevel') !== undefined;
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
