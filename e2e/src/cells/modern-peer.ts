import { Client, type McpSubscription } from '@modelcontextprotocol/client';

import type { Json, JsonObject } from '../surface/outcome.js';
import type { Wire } from '../surface/wire.js';
import { REVISIONS } from './cell.js';
import {
  ASKED,
  CAPABILITIES,
  CLIENT_INFO,
  type Answer,
  type EraPeer,
  type RequestExtras,
} from './era-peer.js';

const PREFIX = 'io.modelcontextprotocol/';
const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** SDK 2.4.0, pinned to the modern era. */
export class ModernPeer implements EraPeer {
  private readonly sdk = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: REVISIONS.modern } },
  });
  private readonly listens = new Map<string, McpSubscription>();

  constructor(answer: Answer) {
    for (const method of ASKED)
      this.sdk.setRequestHandler(method, ({ params }) => answer(method, params as Json | undefined) as never);
    this.sdk.fallbackNotificationHandler = () => Promise.resolve();
  }

  async connect(wire: Wire): Promise<void> {
    await this.sdk.connect(wire);
    await this.sdk.listen(LISTS);
  }

  request(method: string, params: JsonObject, extras: RequestExtras = {}): Promise<unknown> {
    return this.sdk.request({ method, params } as never, extras);
  }

  async subscribe(uri: string): Promise<void> {
    this.listens.set(uri, await this.sdk.listen({ resourceSubscriptions: [uri] }));
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.listens.get(uri)?.close();
    this.listens.delete(uri);
  }

  enveloped(params: JsonObject): JsonObject {
    const envelope = {
      [`${PREFIX}protocolVersion`]: REVISIONS.modern,
      [`${PREFIX}clientInfo`]: CLIENT_INFO,
      [`${PREFIX}clientCapabilities`]: CAPABILITIES,
    };
    return { ...params, _meta: { ...envelope, ...(params['_meta'] as JsonObject | undefined) } };
  }

  close(): Promise<void> {
    return this.sdk.close();
  }
}
