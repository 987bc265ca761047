import type { Mux } from '../mux/mux-api.js';
import { modernLine } from './modern-lines.js';
import { MuxClient } from './mux-client.js';

const CAPABILITIES = { elicitation: { form: {} } };

/** What a call does on its way: it tells of its progress, and it asks. */
export interface Work {
  readonly steps: number;
  readonly asks: number;
}

/** The members of a response that a test reads. */
interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
    readonly content?: readonly { readonly text: string }[];
  };
}

/** A client of either era; all count their ids and progress tokens from the same number on. */
export class EraClient {
  /** The mark of the call that a progress token belongs to. */
  readonly marks = new Map<number, string>();
  private nextId = 1;

  private constructor(
    readonly era: 'legacy' | 'modern',
    readonly wire: MuxClient,
  ) {}

  static async open(mux: Mux, era: 'legacy' | 'modern', uri: string): Promise<EraClient> {
    if (era === 'modern') {
      const client = new EraClient(era, new MuxClient(mux));
      const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
      client.wire.send(modernLine('"listen:0"', 'subscriptions/listen', { notifications }));
      await client.wire.line((line) => line.includes('subscriptions/acknowledged'));
      return client;
    }
    const client = new EraClient(era, await MuxClient.initialized(mux, CAPABILITIES));
    await client.wire.request('resources/subscribe', { uri });
    return client;
  }

  /** Calls a tool, answers its questions, and resolves with the text of its result. */
  async call(name: string, mark: string, args: object, asks = 0): Promise<string> {
    let more: object = {};
    for (let round = 0; ; round += 1) {
      const id = this.send(name, mark, args, more);
      if (this.era === 'legacy') await this.answerAll(mark, asks);
      const { result } = JSON.parse(await this.wire.responseLine(String(id))) as Answer;
      if (result?.resultType !== 'input_required') return result?.content?.[0]?.text ?? 'an error';
      const answered = Object.entries(result.inputRequests ?? {}).map(([key, { params }]) => {
        if (!params.message.endsWith(`${mark}#${round}`))
          throw new Error(`a question of another: ${params.message}`);
        return [key, { action: 'accept', content: { v: `${mark}:${round}` } }] as const;
      });
      more = { inputResponses: Object.fromEntries(answered), requestState: result.requestState };
    }
  }

  /** Calls a tool and cancels the call. */
  cancel(name: string, mark: string): number {
    const requestId = this.send(name, mark, {}, {});
    this.wire.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    );
    return requestId;
  }

  private send(name: string, mark: string, args: object, more: object): number {
    const id = this.nextId;
    this.nextId += 1;
    this.marks.set(id, mark);
    const params = { name, arguments: { ...args, mark }, ...more };
    const meta = { progressToken: id };
    this.wire.send(
      this.era === 'modern'
        ? modernLine(String(id), 'tools/call', params, { capabilities: CAPABILITIES, meta })
        : JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, _meta: meta } }),
    );
    return id;
  }

  private async answerAll(mark: string, asks: number): Promise<void> {
    for (let round = 0; round < asks; round += 1) {
      const line = await this.wire.line((one) => one.includes(`${mark}#${round}"`));
      const { id } = JSON.parse(line) as { readonly id: unknown };
      this.wire.answer(id, { action: 'accept', content: { v: `${mark}:${round}` } });
    }
  }
}
