import type { Message } from './message.js';
import { answer, answerText } from './output.js';
import { describeTool, serve, type Tool } from './raw-server.js';

/** A page of `tools/list`, with the name of its only tool and the cursor of the next page. */
export interface Page {
  readonly toolName: string;
  readonly nextCursor?: string;
}

/** Serves `tools/list` in pages. `pageAt` receives undefined for the first page. */
export function servePages(name: string, pageAt: (cursor: string | undefined) => Page): void {
  const answerPage = ({ id, params }: Message): void => {
    if (id === undefined) return;
    const { toolName, ...rest } = pageAt(params?.cursor);
    answer(id, { tools: [describeTool(namedTool(toolName))], ...rest });
  };
  serve({
    name,
    tools: ['first', 'second', 'third'].map(namedTool),
    intercept(message, proceed) {
      if (message.method === 'tools/list') answerPage(message);
      else proceed();
    },
  });
}

function namedTool(name: string): Tool {
  return { name, call: ({ id }) => answerText(id, name) };
}
