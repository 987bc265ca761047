import type { Socket } from 'node:net';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { contentBlocks, LocalClient, MuxError, type Progress } from '@mcpmux/core';
import { StreamChannel, type Channel } from '@mcpmux/wire';

/** A command reads every line that a mux has accepted. */
const LIMITS = { maxLineBytes: Number.MAX_SAFE_INTEGER, highWatermarkBytes: 64 * 1024 };

/**
 * A client of a mux. The mux is in this process, or is reached over the socket of a running mcpmux. Sends no
 * `initialize`, because servers that start now would then get the capabilities of this command instead of the agent's
 * capabilities.
 */
export class McpConnection {
  private readonly client: LocalClient;

  constructor(private readonly channel: Channel) {
    this.client = new LocalClient(channel);
  }

  /** Returns a client of the mcpmux that serves a socket. */
  static over(socket: Socket): McpConnection {
    return new McpConnection(new StreamChannel({ input: socket, output: socket }, LIMITS));
  }

  /**
   * @param onProgress receives the parameters of each progress notification. Without it, the request does not ask for
   * progress.
   * @throws MuxError CALL_FAILED, CLOSED
   */
  request(
    method: string,
    params: JsonObject = {},
    onProgress?: (progress: Progress) => void,
  ): Promise<JsonObject> {
    return this.client.request(method, params, { ...(onProgress && { onProgress }) });
  }

  /** Calls one of mcpmux's own tools. Resolves with the structured content. */
  async own(tool: string, args: JsonObject = {}): Promise<JsonObject> {
    const result = await this.request('tools/call', { name: tool, arguments: args });
    if (result['isError'] === true) throw new MuxError('CALL_FAILED', textOf(result));
    return isObject(result['structuredContent']) ? result['structuredContent'] : {};
  }

  /** Calls one of mcpmux's own tools. Resolves with the objects of one list in the structured content. */
  async ownList(tool: string, key: string, args: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { [key]: list } = await this.own(tool, args);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  /** Returns all entries of a list, from all pages. */
  async list(method: string, key: string): Promise<readonly JsonObject[]> {
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

/** Returns the text contents of a tool's result, one after the other. */
export function textOf(result: JsonObject): string {
  return contentBlocks(result)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : `[${String(block['type'])}]`))
    .join('\n');
}
