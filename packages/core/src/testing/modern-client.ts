import type { MuxRig } from './mux-rig.js';
import { modernLine } from './modern-lines.js';
import { MuxClient, type Response } from './mux-client.js';

/** A client of the modern era: every request says what the client can do. */
export class ModernClient {
  readonly client: MuxClient;
  private lastId = 0;

  constructor(
    rig: MuxRig,
    private readonly capabilities: object,
  ) {
    this.client = new MuxClient(rig.mux);
  }

  /** Sends a request, and resolves with the response. */
  async request(method: string, params: object = {}, capabilities = this.capabilities): Promise<Response> {
    const line = await this.client.responseLine(this.begin(method, params, capabilities));
    return JSON.parse(line) as Response;
  }

  /** Sends a request that is answered later. Returns its id, JSON text. */
  begin(method: string, params: object = {}, capabilities = this.capabilities): string {
    const id = String((this.lastId += 1));
    this.client.send(modernLine(id, method, params, { capabilities }));
    return id;
  }

  call(name: string, args: object = {}, capabilities = this.capabilities): Promise<Response> {
    return this.request('tools/call', { name, arguments: args }, capabilities);
  }
}
