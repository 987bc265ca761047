import { Client, type Transport, type VersionNegotiationMode } from '@modelcontextprotocol/client';

/** A group of protocol revisions. */
export type Era = 'legacy' | 'modern';

/** The eras as the SDK names them. */
export const MODES: Readonly<Record<Era, VersionNegotiationMode>> = {
  legacy: 'legacy',
  modern: { pin: '2026-07-28' },
};

/** Servers that ask: of each era, the tool and its arguments for a question of these words. */
const ASKING: Readonly<Record<Era, (words: string) => { name: string; arguments: Record<string, unknown> }>> =
  {
    legacy: (message) => {
      const params = {
        message,
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      };
      return { name: 'legacy__ask', arguments: { method: 'elicitation/create', params } };
    },
    modern: (message) => ({ name: 'modern__named', arguments: { message } }),
  };

/** Why a legacy server may ask nobody. */
const REFUSED = 'cannot tell which to ask';

/** The endings of many calls. */
export interface Endings {
  /** All calls that ended. */
  calls: number;
  /** Those whose server was told that nobody can be asked. */
  refused: number;
  /** Questions and answers of another client or of another call. */
  readonly crossed: string[];
}

/** A client whose user answers each question with the words of the question. */
export class AskingClient implements AsyncDisposable {
  /** Questions that came with words of another client. */
  readonly foreign: string[] = [];
  /** The answers of the user wait for it. */
  answers: Promise<void> = Promise.resolve();
  private questions = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(
    readonly name: string,
    private readonly client: Client,
  ) {}

  static async open(name: string, era: Era, transport: Transport): Promise<AskingClient> {
    const options = {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: MODES[era] },
    };
    const client = new Client({ name, version: '1' }, options);
    const asking = new AskingClient(name, client);
    client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
      if (!message.includes(`of ${name}`)) asking.foreign.push(message);
      asking.questions += 1;
      for (const resolve of asking.waiting.splice(0)) resolve();
      await asking.answers;
      return { action: 'accept', content: { name: `answer to ${message}` } };
    });
    await client.connect(transport);
    return asking;
  }

  /** Resolves when the user has a question. */
  async hasQuestion(): Promise<void> {
    while (this.questions === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Resolves when the tools of both servers are listed. */
  async untilListed(): Promise<void> {
    const names = ['legacy__ask', 'modern__named'];
    for (;;) {
      const { tools } = await this.client.listTools();
      if (names.every((name) => tools.some((tool) => tool.name === name))) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Makes calls one after the other in each of some lanes. */
  async ask(era: Era, calls: number, lanes: number): Promise<Endings> {
    const endings: Endings = { calls: 0, refused: 0, crossed: this.foreign };
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < calls) await this.one(era, `number ${next++} of ${this.name}.`, endings);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return endings;
  }

  private async one(era: Era, words: string, endings: Endings): Promise<void> {
    const { content } = await this.client.callTool(ASKING[era](words));
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const answered = [...text.matchAll(/answer to (?:\[\w+\] )?([^"\\]*)/g)].map(([, to]) => to);
    endings.calls += 1;
    if (text.includes(REFUSED)) endings.refused += 1;
    else if (answered.length !== 1 || answered[0] !== words)
      endings.crossed.push(`${words}: ${text.slice(0, 300)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
