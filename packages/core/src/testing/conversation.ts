import type { TurningPeer, TurningPeers } from './turning-peers.js';

/** JSON text of ids and tokens: strings and numbers that look alike. */
export const NAMES = ['0', '1', '-1', '7', '"0"', '"1"', '"-1"', '""', '"a"', '9007199254740991'];
/** The servers of a conversation. */
export const SERVERS = ['x', 'y'];

/** What happens next. `pick` chooses one of the requests that are open. */
export type Deed =
  | { readonly kind: 'call' | 'ask'; readonly to: number; readonly by: number; readonly name: number }
  | {
      readonly kind: 'progress' | 'answer' | 'cancel' | 'reply' | 'report' | 'withdraw';
      readonly pick: number;
    };

/** A request on its way: how it is called where it comes from, and where it goes to. All names are JSON text. */
interface Open {
  readonly from: TurningPeer;
  readonly to: TurningPeer;
  readonly id: string;
  readonly token: string;
  readonly farId: string;
  readonly farToken: string;
  /** Cancelled: an answer reaches nobody. */
  isOver: boolean;
}

/** Members of a message, as JSON text. */
function textAt(line: string, ...path: readonly string[]): string {
  let value: unknown = JSON.parse(line);
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  return JSON.stringify(value) ?? 'nothing';
}

/** Two clients and two servers that call, ask, report, answer and cancel; every message is followed to its end. */
export class Conversation {
  private readonly calls: Open[] = [];
  private readonly asks: Open[] = [];
  private readonly mismatches: string[] = [];
  private nonce = 0;

  constructor(private readonly peers: TurningPeers) {}

  /** Does one deed after the other and gives what was not as it has to be. */
  async run(deeds: readonly Deed[]): Promise<readonly string[]> {
    for (const next of deeds) await this.take(next);
    for (const peer of [...this.peers.clients, ...this.peers.servers]) {
      this.check(peer.name, await peer.rest(), []);
    }
    return this.mismatches;
  }

  private check(what: string, actual: unknown, expected: unknown): void {
    const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== wanted) this.mismatches.push(`${what}: ${is} in place of ${wanted}`);
  }

  private async take(next: Deed): Promise<void> {
    if (next.kind === 'call') return this.call(next.by, next.to, next.name);
    if (next.kind === 'ask') return this.ask(next.by, next.name);
    if (!('pick' in next)) return;
    const isOfServer = next.kind === 'reply' || next.kind === 'report' || next.kind === 'withdraw';
    const open = isOfServer ? this.asks : this.calls;
    const chosen = open[next.pick % Math.max(1, open.length)];
    if (chosen === undefined) return;
    if (next.kind === 'progress' || next.kind === 'report') await this.progress(chosen);
    else if (next.kind === 'answer' || next.kind === 'reply') await this.answer(chosen, open);
    else await this.cancel(chosen);
  }

  /** A client calls a tool; the id doubles as token. */
  private async call(by: number, to: number, name: number): Promise<void> {
    const from = peerAt(this.peers.clients, by);
    const server = peerAt(this.peers.servers, to);
    const id = this.unused(this.calls, from, name);
    if (id === undefined) return;
    const line = await this.request(from, server, id, {
      method: 'tools/call',
      head: `"name":"${SERVERS[to]}__get",`,
    });
    this.check('name', textAt(line, 'params', 'name'), '"get"');
    this.calls.push(openOf(from, server, id, line));
  }

  /** A server asks; whoever has a call in flight there is asked, and nobody when that is not one client. */
  private async ask(by: number, name: number): Promise<void> {
    const from = peerAt(this.peers.servers, by);
    const id = this.unused(this.asks, from, name);
    if (id === undefined) return;
    const callers = new Set(
      this.calls.filter(({ to, isOver }) => to === from && !isOver).map((one) => one.from),
    );
    const [caller] = callers;
    const request = { method: 'sampling/createMessage', head: '"messages":[],"maxTokens":1,' };
    if (caller !== undefined && callers.size === 1) {
      const line = await this.request(from, caller, id, request);
      this.asks.push(openOf(from, caller, id, line));
    } else {
      const refusal = await this.request(from, from, id, request);
      this.check('refusal', [textAt(refusal, 'id'), textAt(refusal, 'error', 'code')], [id, '-32603']);
    }
  }

  /** Sends a request and gives what arrives, at the sender itself when it is refused. */
  private async request(
    from: TurningPeer,
    to: TurningPeer,
    id: string,
    { method, head }: { readonly method: string; readonly head: string },
  ): Promise<string> {
    this.nonce += 1;
    const params = `{${head}"x-nonce":${this.nonce},"_meta":{"progressToken":${id}}}`;
    from.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    const line = await to.next();
    if (from === to) return line;
    this.check(
      `request at ${to.name}`,
      [textAt(line, 'method'), textAt(line, 'params', 'x-nonce')],
      [`"${method}"`, `${this.nonce}`],
    );
    const taken = [...this.calls, ...this.asks].filter((open) => open.to === to).map(({ farId }) => farId);
    this.check('an id that is in use', taken.includes(textAt(line, 'id')), false);
    return line;
  }

  private async progress({ from, to, token, farToken, isOver }: Open): Promise<void> {
    this.nonce += 1;
    to.send(
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${farToken},"progress":${this.nonce}}}`,
    );
    if (isOver) return;
    const line = await from.next();
    this.check(`token at ${from.name}`, line.includes(`"progressToken":${token},`), true);
    this.check(`progress at ${from.name}`, textAt(line, 'params', 'progress'), `${this.nonce}`);
  }

  /** Answers with a result or an error; an answer to what was cancelled reaches nobody. */
  private async answer(open: Open, among: Open[]): Promise<void> {
    const { from, to, id, farId, isOver } = open;
    this.nonce += 1;
    const body =
      this.nonce % 2 === 0 ? `"result":{"n":${this.nonce}}` : `"error":{"code":-5,"message":"${this.nonce}"}`;
    to.send(`{"jsonrpc":"2.0","id":${farId},${body}}`);
    among.splice(among.indexOf(open), 1);
    if (isOver) return;
    this.check(`answer at ${from.name}`, await from.next(), `{"jsonrpc":"2.0","id":${id},${body}}`);
  }

  private async cancel(open: Open): Promise<void> {
    if (open.isOver) return;
    const { from, to, id, farId } = open;
    open.isOver = true;
    from.send(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"r"}}`,
    );
    const line = await to.next();
    this.check(
      `cancellation at ${to.name}`,
      [textAt(line, 'method'), textAt(line, 'params', 'requestId'), textAt(line, 'params', 'reason')],
      ['"notifications/cancelled"', farId, '"r"'],
    );
  }

  /** A name that this peer has in no open request; asks and calls that were cancelled keep theirs. */
  private unused(open: readonly Open[], from: TurningPeer, name: number): string | undefined {
    const used = new Set(open.filter((one) => one.from === from).map(({ id }) => id));
    return [...NAMES.slice(name), ...NAMES.slice(0, name)].find((text) => !used.has(text));
  }
}

function openOf(from: TurningPeer, to: TurningPeer, id: string, line: string): Open {
  const farToken = textAt(line, 'params', '_meta', 'progressToken');
  return { from, to, id, token: id, farId: textAt(line, 'id'), farToken, isOver: false };
}

function peerAt(peers: readonly TurningPeer[], index: number): TurningPeer {
  const peer = peers[index];
  if (peer === undefined) throw new Error(`no peer ${index}`);
  return peer;
}
