import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import type { SharedServer, SharedWindows } from './shared-windows.js';

/** A window with a real SDK client. The client answers the questions of servers with its name. */
export class SdkWindow implements AsyncDisposable {
  /** The text of every message that has come. */
  readonly heard: string[] = [];

  private constructor(
    readonly name: string,
    readonly client: Client,
  ) {}

  static async open(
    shared: SharedWindows,
    name: string,
    mode: VersionNegotiationMode = 'legacy',
  ): Promise<SdkWindow> {
    const capabilities = { roots: { listChanged: true }, elicitation: { form: {} }, sampling: {} };
    const client = new Client({ name, version: '1' }, { capabilities, versionNegotiation: { mode } });
    const window = new SdkWindow(name, client);
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file:///of-${name}` }] }));
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: name } }));
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: `sampled by ${name}` },
    }));
    const transport = new StdioClientTransport({
      command: NODE,
      args: [CLI, ...shared.args],
      env: cleanEnvironment(shared.environment),
      cwd: shared.folder,
      stderr: 'inherit',
    });
    await client.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message): void => {
      window.heard.push(JSON.stringify(message));
      onmessage?.(message);
    };
    return window;
  }

  /** Calls a tool. Resolves with the text of its result, or of its error. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    try {
      const { content } = await this.client.callTool({ name, arguments: args });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    } catch (error) {
      return String(error);
    }
  }

  async servers(): Promise<readonly SharedServer[]> {
    const { structuredContent } = await this.client.callTool({ name: 'list_servers', arguments: {} });
    return (structuredContent as { readonly servers: readonly SharedServer[] }).servers;
  }

  /** Resolves when a tool is listed. */
  async untilListed(tool: string): Promise<void> {
    for (;;) {
      const { tools } = await this.client.listTools();
      if (tools.some(({ name }) => name === tool)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
