import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';

import type { Json, JsonObject } from '../surface/outcome.js';
import type { Wire } from '../surface/wire.js';
import { CAPABILITIES, CLIENT_INFO, type Answer, type EraPeer, type RequestExtras } from './era-peer.js';

/** SDK 1.32.2, which speaks the legacy era alone. */
export class LegacyPeer implements EraPeer {
  private readonly sdk = new Client(CLIENT_INFO, { capabilities: CAPABILITIES });

  constructor(answer: Answer) {
    this.sdk.fallbackRequestHandler = ({ method, params }) =>
      Promise.resolve(answer(method, params as Json | undefined));
    this.sdk.fallbackNotificationHandler = () => Promise.resolve();
  }

  connect(wire: Wire): Promise<void> {
    return this.sdk.connect(wire);
  }

  request(method: string, params: JsonObject, extras?: RequestExtras): Promise<unknown> {
    return this.sdk.request({ method, params }, ResultSchema, extras);
  }

  async subscribe(uri: string): Promise<void> {
    await this.sdk.subscribeResource({ uri });
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.sdk.unsubscribeResource({ uri });
  }

  enveloped(params: JsonObject): JsonObject {
    return params;
  }

  close(): Promise<void> {
    return this.sdk.close();
  }
}
