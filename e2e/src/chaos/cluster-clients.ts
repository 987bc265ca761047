import type { SeededRandom } from '@mcpmux/testing/seeded-random';

import { answersIn, isRefusal } from './answers.js';
import { answerOf } from './resumed-answer.js';

/** One request of a client, and what became of it. */
export interface Sent {
  readonly nonce: string;
  /** Empty for a request that opens a session. */
  readonly server: string;
  /** The node that the request was sent to. */
  readonly node: string;
  /** The node of its session, which answers it; undefined without a session. */
  readonly sessionNode: string | undefined;
  /** When the session was asked for. */
  readonly sessionSince?: number;
  readonly sentAt: number;
  endedAt: number;
  /** The status of the answer, if any has come. */
  status?: number;
  outcome: 'answered' | 'refused' | 'lost' | 'crossed' | 'open';
  detail: string;
}

/** The nodes that clients may send to now: their urls by name. */
export type Reachable = () => ReadonlyMap<string, URL>;

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** The client description of a request without a session. */
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'chaos', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MAX_WAIT_MS = 60_000;

/** Who a client is, and what it uses. */
export interface ClusterClientParts {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  readonly servers: readonly string[];
  readonly random: SeededRandom;
  readonly reachable: Reachable;
}

/** A session of a client. */
interface Session {
  readonly id: string;
  readonly since: number;
}

/** A client that sends one request after the other, each to any node. */
export class ClusterClient {
  readonly sent: Sent[] = [];
  private session: Session | undefined;
  /** The sessions that it has opened and not ended. */
  private readonly opened = new Set<string>();
  private count = 0;

  constructor(private readonly parts: ClusterClientParts) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const nodes = [...this.parts.reachable()];
      if (nodes.length > 0) await this.one(this.parts.random.pick(nodes));
      await new Promise((resolve) => setTimeout(resolve, 20 + this.parts.random.integerBelow(100)));
    }
  }

  private async one([node, url]: readonly [string, URL]): Promise<void> {
    if (this.parts.era === 'legacy' && this.session === undefined) return this.open(node, url);
    await this.effect(node, url, this.parts.random.pick(this.parts.servers));
  }

  /** Has one server do something, over a session if the client has any. */
  async probe(node: string, url: URL, server: string): Promise<Sent> {
    const hadSession = this.session !== undefined;
    if (this.parts.era === 'legacy' && !hadSession) await this.open(node, url);
    const sent = await this.effect(node, url, server);
    // The node of an earlier session may have gone before.
    return hadSession && sent.detail.startsWith('404') ? this.probe(node, url, server) : sent;
  }

  /** Ends all its sessions, also those that nodes said they do not have. Resolves with false when it must try again. */
  async leave(): Promise<boolean> {
    for (const id of this.opened) {
      const [url] = this.parts.reachable().values();
      if (url === undefined) return false;
      const headers = { ...HEADERS, 'mcp-session-id': id };
      const response = await fetch(url, { method: 'DELETE', headers }).catch(() => undefined);
      await response?.text();
      if (response?.ok === true || response?.status === 404) this.opened.delete(id);
    }
    return this.opened.size === 0;
  }

  private async effect(node: string, url: URL, server: string): Promise<Sent> {
    this.count += 1;
    const nonce = `${this.parts.name}.${this.count}`;
    const sent = this.begin(nonce, node, server);
    try {
      const answer = await this.post(url, this.call(nonce, server));
      Object.assign(sent, { status: answer.status, ...outcomeOf(answer, nonce, this.count) });
      // The node of the session is gone: the client opens another one.
      if (answer.status === 404) this.session = undefined;
    } catch (error) {
      Object.assign(sent, { outcome: 'lost', detail: String(error) });
    }
    sent.endedAt = Date.now();
    return sent;
  }

  private async open(node: string, url: URL): Promise<void> {
    this.count += 1;
    const sent = this.begin(`${this.parts.name}.${this.count}`, node, '');
    const clientInfo = { name: 'chaos', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    try {
      const { status, text, session: id } = await this.post(url, rpc(0, 'initialize', params));
      const outcome = id === undefined ? 'refused' : 'answered';
      Object.assign(sent, { status, outcome, detail: text.slice(0, 200) });
      if (id !== undefined) {
        this.opened.add(id);
        this.session = { id, since: sent.sentAt };
        await this.post(url, { jsonrpc: '2.0', method: 'notifications/initialized' });
      }
    } catch (error) {
      this.session = undefined;
      if (sent.outcome === 'open') Object.assign(sent, { outcome: 'lost', detail: String(error) });
    }
    sent.endedAt = Date.now();
  }

  /** Notes a request that is about to be sent. */
  private begin(nonce: string, node: string, server: string): Sent {
    const sentAt = Date.now();
    const sessionNode = nodeOf(this.session?.id);
    const since = this.session && { sessionSince: this.session.since };
    const about = { nonce, server, node, sessionNode, ...since, sentAt };
    const sent: Sent = { ...about, endedAt: sentAt, outcome: 'open', detail: '' };
    this.sent.push(sent);
    return sent;
  }

  private call(nonce: string, server: string): object {
    const params = { name: `${server}__effect`, arguments: { nonce } };
    const meta = this.parts.era === 'modern' ? { _meta: MODERN } : {};
    return rpc(this.count, 'tools/call', { ...params, ...meta });
  }

  private async post(url: URL, body: object) {
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': toolOf(body) ?? '',
    };
    const legacy = this.session === undefined ? {} : { 'mcp-session-id': this.session.id };
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...HEADERS, ...(this.parts.era === 'modern' ? modern : legacy) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    const session = response.headers.get('mcp-session-id') ?? undefined;
    return { status: response.status, text: await answerOf(response, (id) => this.reopen(id)), session };
  }

  /** Asks any node for the rest of a stream of the session. */
  private reopen(lastEventId: string): Promise<Response> | undefined {
    const { reachable, random } = this.parts;
    const urls = [...reachable().values()];
    if (this.session === undefined || urls.length === 0) return undefined;
    const headers = {
      accept: 'text/event-stream',
      'mcp-session-id': this.session.id,
      'last-event-id': lastEventId,
    };
    return fetch(random.pick(urls), { headers, signal: AbortSignal.timeout(MAX_WAIT_MS) });
  }
}

function rpc(id: number, method: string, params: object): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** What an answer says of its request. */
function outcomeOf(
  { status, text }: { status: number; text: string },
  nonce: string,
  id: number,
): Partial<Sent> {
  if (status !== 200) return { outcome: 'refused', detail: `${status} ${text.slice(0, 200)}` };
  const answers = answersIn(text);
  const [answer] = answers;
  if (answer === undefined) return { outcome: 'lost', detail: text.slice(0, 200) };
  if (answers.length > 1 || answer.id !== id) return { outcome: 'crossed', detail: text.slice(0, 300) };
  const said = answer.error?.message ?? answer.result?.content?.[0]?.text ?? text;
  if (isRefusal(answer) || said === 'fenced') return { outcome: 'refused', detail: said.slice(0, 300) };
  return said === nonce ? { outcome: 'answered' } : { outcome: 'crossed', detail: text.slice(0, 300) };
}

/** The name of the node in the id of a session. */
function nodeOf(session: string | undefined): string | undefined {
  return session?.split('.')[1]?.split('-')[0];
}

function toolOf(body: object): string | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a message that this client has made
  return (body as { readonly params?: { readonly name?: string } }).params?.name;
}
