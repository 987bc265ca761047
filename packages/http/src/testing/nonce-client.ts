import { answersIn, messagesIn, type FrontRig, type OpenAnswer } from './front-rig.js';

/** What one client does of its own accord. All clients use the same ids, tokens and keys. */
export const ACTS = ['echo', 'count', 'ask', 'cancel', 'drop'] as const;
export type Act = (typeof ACTS)[number];

const ELICITATION = { elicitation: {} };
const SCHEMA = { type: 'object', properties: { nonce: { type: 'string' } } };

/** A client that puts a word of its own into everything it sends, and keeps everything it is sent. */
export class NonceClient {
  private readonly received: OpenAnswer[] = [];
  private readonly replied = new Set<unknown>();
  private nextId = 1;

  private constructor(
    private readonly rig: FrontRig,
    private readonly headers: { readonly 'mcp-session-id': string },
    readonly nonce: string,
  ) {}

  static async open(rig: FrontRig, nonce: string): Promise<NonceClient> {
    const client = new NonceClient(rig, await rig.session('2025-11-25', ELICITATION), nonce);
    client.keep(await rig.send('GET', client.headers));
    return client;
  }

  /** Everything that any of its connections has brought. */
  get text(): string {
    return this.received.map(({ text }) => text).join('\n');
  }

  /** Performs an act and gives what was wrong with its answer. */
  async act(act: Act): Promise<string | undefined> {
    switch (act) {
      case 'echo':
        return this.answered(await this.call('e__echo', { message: this.nonce }), this.nonce);
      case 'count':
        return this.counted();
      case 'ask':
        return this.asked();
      case 'cancel': {
        const { id, answer } = await this.begin('h__hold', { key: this.nonce });
        await this.report({ method: 'notifications/cancelled', params: { requestId: id } });
        await answer.ended;
        return answersIn(answer.text).length === 0 ? undefined : 'a cancelled call was answered';
      }
      case 'drop': {
        const { answer } = await this.begin('h__hold', { key: this.nonce });
        answer.destroy();
        return undefined;
      }
    }
  }

  async close(): Promise<void> {
    await (
      await this.rig.send('DELETE', this.headers)
    ).ended;
    for (const answer of this.received) answer.destroy();
  }

  private async counted(): Promise<string | undefined> {
    const { answer } = await this.begin('p__count', { n: 3 });
    await answer.ended;
    const steps = messagesIn(answer.text).filter(({ method }) => method === 'notifications/progress');
    return steps.length === 3 ? undefined : `${steps.length} steps of progress instead of 3`;
  }

  /** A question that cannot be told whose it is must be refused; one that is put must be its own. */
  private async asked(): Promise<string | undefined> {
    const params = { message: this.nonce, requestedSchema: SCHEMA };
    const answer = await this.call('i__ask', { method: 'elicitation/create', params });
    const text = JSON.stringify(answersIn(answer.text));
    return text.includes('several clients') ? undefined : this.answered(answer, this.nonce);
  }

  private keep(answer: OpenAnswer): OpenAnswer {
    this.received.push(answer);
    answer.response.on('data', () => this.reply(answer));
    this.reply(answer);
    return answer;
  }

  /** Answers what it is asked with its own word, whoever asks. */
  private reply({ text }: OpenAnswer): void {
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 1);
    for (const { id, method } of messagesIn(whole)) {
      if (method !== 'elicitation/create' || this.replied.has(id)) continue;
      this.replied.add(id);
      void this.report({ id, result: { action: 'accept', content: { nonce: this.nonce } } });
    }
  }

  private answered(answer: OpenAnswer, expected: string): string | undefined {
    const text = JSON.stringify(answersIn(answer.text));
    return text.includes(expected) ? undefined : `another answer than its own: ${text}`;
  }

  private async call(name: string, args: object): Promise<OpenAnswer> {
    const { answer } = await this.begin(name, args);
    await answer.ended;
    return answer;
  }

  private async begin(
    name: string,
    args: object,
  ): Promise<{ readonly id: number; readonly answer: OpenAnswer }> {
    const id = this.nextId;
    this.nextId += 1;
    const params = { name, arguments: args, _meta: { progressToken: id } };
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
    return { id, answer: this.keep(await this.rig.send('POST', this.headers, message)) };
  }

  private async report(message: object): Promise<void> {
    await (
      await this.rig.send('POST', this.headers, { jsonrpc: '2.0', ...message })
    ).ended;
  }
}
