import { expect } from 'vitest';

import type { Mux } from '../mux/mux-api.js';
import type { MuxOptions } from '../mux/mux-options.js';
import type { Era } from '../server/dialect/era.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import { modernLine } from './modern-lines.js';
import { MuxClient } from './mux-client.js';
import { textOf } from './mux-rig.js';

type ToolName = 'era' | 'pid' | 'ask' | 'sample' | 'ask_by_input' | 'touch';

export const CAPABILITIES = { elicitation: { form: {} }, sampling: {} };
const ANSWERS: Readonly<Record<string, object>> = {
  'elicitation/create': { action: 'accept', content: { v: 'so' } },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'so' } },
};

interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
  };
}

/** A client of one era that answers every question. */
export class DualClient {
  private lastId = 0;

  private constructor(
    readonly wire: MuxClient,
    readonly era: Era,
    private readonly capabilities: object,
    private readonly prefix: string,
  ) {}

  /** @param prefix what the names of the server's tools begin with */
  static async open(
    mux: Mux,
    era: Era,
    capabilities: object = CAPABILITIES,
    prefix = 'v__',
  ): Promise<DualClient> {
    if (era === 'legacy')
      return new DualClient(await MuxClient.initialized(mux, capabilities), era, capabilities, prefix);
    const client = new DualClient(new MuxClient(mux), era, capabilities, prefix);
    await client.request('tools/list', {});
    return client;
  }

  /** Calls a tool of the one server, and resolves with the text of its result. */
  async call(tool: ToolName, args: object = {}): Promise<string> {
    const name = `${this.prefix}${tool}`;
    let more: object = {};
    for (;;) {
      const { result } = await this.request('tools/call', { name, arguments: args, ...more });
      if (result?.resultType !== 'input_required') return textOf(result);
      const asked = Object.entries(result.inputRequests ?? {});
      const inputResponses = Object.fromEntries(asked.map(([key, { method }]) => [key, ANSWERS[method]]));
      more = { inputResponses, requestState: result.requestState };
    }
  }

  private async request(method: string, params: object): Promise<Answer> {
    this.lastId += 1;
    const id = String(this.lastId);
    const { capabilities } = this;
    const line =
      this.era === 'modern'
        ? modernLine(id, method, params, { capabilities })
        : JSON.stringify({ jsonrpc: '2.0', id: this.lastId, method, params });
    const from = this.wire.lines.length;
    this.wire.send(line);
    if (this.era === 'legacy') void this.answerQuestions(from, id);
    return JSON.parse(await this.wire.responseLine(id)) as Answer;
  }

  private async answerQuestions(from: number, callId: string): Promise<void> {
    const isQuestion = (line: string): boolean =>
      this.wire.lines.indexOf(line) >= from && line.includes('"method":"') && line.includes('"id":');
    const question = this.wire.line(isQuestion);
    const first = await Promise.race([question, this.wire.responseLine(callId)]);
    const { id, method = '' } = JSON.parse(first) as { id: unknown; method?: string };
    const answer = ANSWERS[method];
    if (answer !== undefined) this.wire.answer(id, answer);
  }
}

/** What a client gets from the server alone. In the modern era the server cannot send requests. */
const ALONE: Readonly<Record<Era, Readonly<Record<'ask' | 'sample' | 'ask_by_input', RegExp>>>> = {
  legacy: { ask: /"so"/, sample: /"so"/, ask_by_input: /"so"/ },
  modern: { ask: /2026-07-28|"so"/, sample: /2026-07-28|"so"/, ask_by_input: /"so"/ },
};

/** Calls each tool that asks: the client gets what it would get from the server alone. */
export async function getsAll(client: DualClient): Promise<void> {
  const { era } = client;
  for (const tool of ['ask', 'sample', 'ask_by_input'] as const)
    expect(await client.call(tool), `${tool} of a ${era} client`).toMatch(ALONE[era][tool]);
}

/** A host that expects clients of both eras, as HTTP and `--shared` do: the server runs before they come. */
export const FRONT: MuxOptions = { firstEra: 'modern' };

/** The status of the one server. */
export function statusOf(mux: Mux): Partial<ServerStatus> {
  return mux.listServers()[0] ?? {};
}
