import type { Socket } from 'node:net';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { contentBlocks, LocalClient, MuxError, type Progress } from '@mcpmux/core';
import { StreamChannel, type Channel } from '@mcpmux/wire';

/** The line length is unlimited here, because the mux already limits it. */
const CHANNEL_LIMITS = { maxLineBytes: Number.MAX_SAFE_INTEGER, highWatermarkBytes: 64 * 1024 };

/**
 * A client of a mux, in this process or over the socket of a running mcpmux. It sends no `initialize`, because servers
 * that start afterwards would get this command's capabilities instead of the agent's.
 */
export class McpConnection {
  private readonly client: LocalClient;

  constructor(private readonly channel: Channel) {
    this.client = new LocalClient(channel);
  }

  /** Creates a client of the mcpmux at the other end of a socket. */
  static over(socket: Socket): McpConnection {
    return new McpConnection(new StreamChannel({ input: socket, output: socket }, CHANNEL_LIMITS));
  }

  /**
   * @param onProgress receives the parameters of each progress notification. If absent, the request has no progress
   * token.
   * @throws MuxError CALL_FAILED, CLOSED
   */
  request(
    method: string,
    params: JsonObject = {},
    onProgress?: (progress: Progress) => void,
  ): Promise<JsonObject> {
    return this.client.request(method, params, { ...(onProgress && { onProgress }) });
  }

  /** Calls one of mcpmux's own tools. Resolves to the result's structured content. */
  async callOwnTool(tool: string, args: JsonObject = {}): Promise<JsonObject> {
    const result = await this.request('tools/call', { name: tool, arguments: args });
    if (result['isError'] === true) throw new MuxError('CALL_FAILED', toolResultText(result));
    return isObject(result['structuredContent']) ? result['structuredContent'] : {};
  }

  /** Calls one of mcpmux's own tools. Resolves to the objects in the list `key` of the result's structured content. */
  async listFromOwnTool(tool: string, key: string, args: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { [key]: list } = await this.callOwnTool(tool, args);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  /** Requests every page of a list and returns all entries. */
  async listAll(method: string, key: string): Promise<readonly JsonObject[]> {
    const entries: JsonObject[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      const items: unknown = page[key];
      if (Array.isArray(items)) entries.push(...items.filter(isObject));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return entries;
  }

  close(): void {
    void this.channel.end();
  }
}

/** Returns the text of a tool's result, with one line break between content blocks. */
export function toolResultText(result: JsonObject): string {
  return contentBlocks(result)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : `[${String(block['type'])}]`))
    .join('\n');
}
