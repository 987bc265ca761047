import { AUDIO, embeddedResource, IMAGE, text } from './samples.js';

/** The arguments of a tool call, and a function that sends notifications while the tool is running. */
export interface ToolContext {
  readonly args: Readonly<Record<string, unknown>>;
  readonly progressToken: string | number | undefined;
  readonly notify: (method: string, params: Record<string, unknown>) => Promise<void>;
}

type Content = readonly Readonly<Record<string, unknown>>[];
type Tool = (context: ToolContext) => Content | Promise<Content>;

/** The tools of the conformance scenarios that do not ask the client anything, by name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [IMAGE],
  test_audio_content: () => [AUDIO],
  test_embedded_resource: () => [
    embeddedResource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    IMAGE,
    embeddedResource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging({ notify }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await notify('notifications/message', { level: 'info', data });
    }
    return [text('Tool with logging executed successfully')];
  },
  async test_tool_with_progress({ progressToken, notify }) {
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await notify('notifications/progress', { progressToken, progress, total: 100 });
    }
    return [text(String(progressToken))];
  },
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_streaming_elicitation: () => [text('nothing is asked here')],
  async test_logging_tool({ notify }) {
    await notify('notifications/message', { level: 'info', data: 'logged' });
    return [text('logged')];
  },
};

/** A tool with an argument that clients copy into a header (`x-mcp-header`). */
export const X_HEADER_TOOL = {
  name: 'test_x_mcp_header',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      level: { type: 'integer' },
    },
  },
} as const;
