import { COLLECT_MS } from '../client/modern/request-questions.js';
import { modernLine } from './modern-lines.js';
import { SessionsRig, type RigClient, type RigServer } from './sessions-rig.js';

/** A client that can be asked everything. */
export const FORMS = { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} } };
/** The params of a question of a server. */
export const FORM = '{"message":"Name?","requestedSchema":{"type":"object","n":12345678901234567890}}';
/** A call of a tool of the server. */
export const CALL = { name: 'x__t', arguments: { a: 1, b: [2] } };

/** An answer that puts questions. */
export interface Asked {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: object }>>;
  readonly requestState: string;
}

interface Answer {
  readonly id: unknown;
  readonly result?: Asked & Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A modern client in front of a legacy server `x` that asks it, both played by the test. */
export class Parked {
  readonly rig = new SessionsRig();
  readonly server: RigServer = this.rig.server('x', { tools: ['t', 'u'] });
  readonly client: RigClient = this.rig.stranger();

  /** Sends a call, and the question of its server. Gives the answer with the question. */
  async asked(id = '1', method = 'elicitation/create', params = FORM): Promise<Asked> {
    await this.client.exchange(modernLine(id, 'tools/call', CALL, FORMS));
    await this.server.ask(`"s${id}"`, method, params);
    return this.collected();
  }

  /** The answer with questions that comes once no more are waited for. */
  async collected(): Promise<Asked> {
    this.rig.clock.advance(COLLECT_MS);
    await this.client.exchange();
    const { result } = this.last();
    if (result === undefined) throw new Error(this.client.lines.at(-1));
    return result;
  }

  last(): Answer {
    return JSON.parse(this.client.lines.at(-1) ?? '{}') as Answer;
  }

  retry(
    id: string,
    requestState: string,
    inputResponses: object,
    params: object = CALL,
  ): Promise<readonly string[]> {
    return this.client.exchange(
      modernLine(id, 'tools/call', { ...params, inputResponses, requestState }, FORMS),
    );
  }

  /** Sends a retry that is refused, and gives the error. */
  async refused(state: string, params: object = CALL, client = this.client): Promise<string> {
    const retry = { ...params, inputResponses: {}, requestState: state };
    await client.exchange(modernLine('"bad"', 'tools/call', retry, FORMS));
    const { error } = JSON.parse(client.lines.at(-1) ?? '{}') as Answer;
    return `${error?.code}: ${error?.message}`;
  }
}
