import { once } from 'node:events';

const INITIALIZE = (version) =>
  `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"${version}","capabilities":{},"clientInfo":{"name":"walk","version":"1"}}}`;
const COMPARED = ['allow', 'www-authenticate', 'access-control-allow-origin', 'vary'];
const ANSWER_MS = 8000;
const NO_BUFFERS = 'x-accel-buffering';
const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];

/** One session at one front. */
export class Walk {
  id = 0;

  constructor(front, seed) {
    this.front = front;
    this.version = VERSIONS[seed % VERSIONS.length];
    this.key = `key-${seed}`;
  }

  /** Takes the steps one after the other. Resolves with the outcome of each. */
  async take(steps) {
    const opened = await this.whole('POST', {}, INITIALIZE(this.version));
    this.session = opened.session;
    await this.whole('POST', {}, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const outcomes = [];
    for (const step of steps) outcomes.push(await soon(this.step(step)));
    this.stream?.destroy();
    return outcomes;
  }

  async step({ kind, body, headers = {}, method }) {
    switch (kind) {
      case 'post':
        return shown(await this.whole('POST', headers, this.filled(body)));
      case 'delete':
      case 'other':
        return shown(await this.whole(method ?? 'DELETE', headers));
      case 'get':
        return this.open(headers);
      case 'drop':
        return this.drop();
      case 'resume':
        return this.lastEvent === undefined
          ? 'nothing to resume'
          : this.open({ 'last-event-id': this.lastEvent });
      default:
        return this.held(kind);
    }
  }

  /** A call that is open until another one releases, cancels or loses it. */
  async held(kind) {
    this.id += 1;
    const id = this.id;
    const params = (name) => `{"name":"h__${name}","arguments":{"key":"${this.key}-${id}"}}`;
    const request = (of, name) =>
      `{"jsonrpc":"2.0","id":${of},"method":"tools/call","params":${params(name)}}`;
    const version = { 'mcp-protocol-version': this.version };
    const response = await this.send('POST', version, request(id, 'hold'));
    if (response.statusCode !== 200) return shown(await read(response));
    const twice = await this.whole('POST', version, request(id, 'hold'));
    const whole = read(response);
    if (kind === 'hold-drop') response.destroy();
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
    const then = kind === 'hold-cancel' ? cancel : request(`"r${id}"`, 'release');
    const after = await this.whole('POST', version, then);
    return {
      held: kind === 'hold-drop' ? 'dropped' : shown(await whole),
      twice: shown(twice),
      after: shown(after),
    };
  }

  async open(headers) {
    const response = await this.send('GET', { 'content-type': undefined, ...headers });
    if (response.statusCode !== 200) return shown(await read(response));
    this.stream?.destroy();
    this.stream = response;
    response.on('error', () => undefined);
    response.on('data', (chunk) => {
      this.lastEvent = /^id: (\S+)$/m.exec(String(chunk))?.[1] ?? this.lastEvent;
    });
    return { status: 200, type: response.headers['content-type'] };
  }

  async drop() {
    const { stream } = this;
    this.stream = undefined;
    stream?.destroy();
    if (stream !== undefined && !stream.closed) await once(stream, 'close');
    return 'dropped';
  }

  async whole(method, headers, body) {
    return read(await this.send(method, headers, body));
  }

  send(method, headers, body) {
    const all = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': this.session,
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return this.front.send(method, sent, body);
  }

  filled(body) {
    this.id += 1;
    return body.replaceAll('N', String(this.id));
  }
}

/** What a step resolves with, or that it does not. */
async function soon(outcome) {
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(done, ANSWER_MS, { status: 'no answer' });
  });
  const first = await Promise.race([outcome, late]);
  clearTimeout(timer);
  return first;
}

async function read(response) {
  let text = '';
  try {
    for await (const chunk of response) text += String(chunk);
  } catch {
    // What has come counts.
  }
  const { statusCode: status, headers } = response;
  return { status, headers, text, session: headers['mcp-session-id'] };
}

/** What of a response is compared. */
function shown({ status, headers, text }) {
  const compared = Object.fromEntries(
    COMPARED.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
  );
  const isBuffered = headers['content-type'] === 'text/event-stream' && headers[NO_BUFFERS] !== 'no';
  return {
    status,
    ...compared,
    ...(isBuffered && { isBuffered }),
    messages: messagesIn(text).map(withoutText),
  };
}

function messagesIn(text) {
  if (text.startsWith('{')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (\{.+)$/gm)].map(([, data]) => JSON.parse(data));
}

/** Texts of mcpmux itself are not those of another build. */
function withoutText({ error, result, ...message }) {
  if (error !== undefined) return { ...message, error: { code: error.code } };
  if (result?.tools !== undefined) return { ...message, tools: result.tools.map(({ name }) => name) };
  if (result?.instructions !== undefined) return { ...message, revision: result.protocolVersion };
  return { ...message, result };
}
