import type { TurningPeer, TurningPeers } from './turning-peers.js';

/** JSON text of ids and tokens: strings and numbers that look alike. */
export const NAMES = ['0', '1', '-1', '7', '"0"', '"1"', '"-1"', '""', '"a"', '9007199254740991'];
/** The servers of a conversation. */
export const SERVERS = ['x', 'y'];

/** What happens next. `pick` chooses one of the requests that are open. */
export type Deed =
  | { readonly kind: 'call' | 'ask'; readonly to: number; readonly by: number; readonly name: number }
  | { readonly kind: 'burst' }
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
    if (next.kind === 'burst') return this.burst();
    if ('to' in next) {
      return next.kind === 'call' ? this.call(next.by, next.to, next.name) : this.ask(next.by, next.name);
    }
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
    const params = `{${head}"x-nonce":${this.nonce},"_meta":{"progressToken":${tokenOf(id)}}}`;
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

  private async progress(open: Open): Promise<void> {
    const line = this.sendProgress(open);
    if (!open.isOver) this.check(`progress at ${open.from.name}`, await open.from.next(), line);
  }

  private async answer(open: Open, among: Open[]): Promise<void> {
    const line = this.sendAnswer(open, among);
    if (!open.isOver) this.check(`answer at ${open.from.name}`, await open.from.next(), line);
  }

  /** Progress and answer of every open request at once, in no order but that of each request. */
  private async burst(): Promise<void> {
    const expected = new Map<TurningPeer, string[]>();
    for (const among of [this.calls, this.asks]) {
      for (const open of among.slice()) {
        const lines = [this.sendProgress(open), this.sendAnswer(open, among)];
        if (!open.isOver) expected.set(open.from, [...(expected.get(open.from) ?? []), ...lines]);
      }
    }
    for (const [peer, lines] of expected) {
      const got: string[] = [];
      while (got.length < lines.length) got.push(await peer.next());
      this.check(`burst at ${peer.name}`, got.toSorted(), lines.toSorted());
      const isEarly = lines.filter(
        (line, at) => at % 2 === 1 && got.indexOf(line) < got.indexOf(lines[at - 1] ?? ''),
      );
      this.check(`answers at ${peer.name} before their progress`, isEarly, []);
    }
  }

  /** Reports progress, and gives the line that has to arrive. */
  private sendProgress({ to, token, farToken }: Open): string {
    this.nonce += 1;
    const line = (own: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${own},"progress":${this.nonce}}}`;
    to.send(line(farToken));
    return line(token);
  }

  /** Answers with a result or an error, and gives the line that has to arrive; nothing does after a cancellation. */
  private sendAnswer(open: Open, among: Open[]): string {
    const { to, id, farId } = open;
    this.nonce += 1;
    const isResult = this.nonce % 2 === 0;
    const body = isResult ? `"result":{"n":${this.nonce}}` : `"error":{"code":-5,"message":"${this.nonce}"}`;
    const line = (own: string): string => `{"jsonrpc":"2.0","id":${own},${body}}`;
    to.send(line(farId));
    among.splice(among.indexOf(open), 1);
    return line(id);
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

/** Another name than the id, so that the one is never taken for the other. */
function tokenOf(id: string): string {
  return NAMES[(NAMES.indexOf(id) + 3) % NAMES.length] ?? id;
}

function openOf(from: TurningPeer, to: TurningPeer, id: string, line: string): Open {
  const farToken = textAt(line, 'params', '_meta', 'progressToken');
  return { from, to, id, token: tokenOf(id), farId: textAt(line, 'id'), farToken, isOver: false };
}

function peerAt(peers: readonly TurningPeer[], index: number): TurningPeer {
  const peer = peers[index];
  if (peer === undefined) throw new Error(`no peer ${index}`);
  return peer;
}
