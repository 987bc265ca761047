import { Agent, request } from 'node:http';

/** How many calls are in flight at a time when calls in a second are counted. */
export const IN_FLIGHT = 32;
/**
 * The time after which an idle connection is closed here. A node closes one after 5 s: a request on its way at that moment
 * gets no answer ("socket hang up").
 */
const IDLE_MS = 2000;
const agent = new Agent({ keepAlive: true, maxSockets: 2 * IN_FLIGHT, timeout: IDLE_MS });
/** Codes of errors of a connection that the other end has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Does some work again and again, with so many at a time. Resolves with the times and the rate. */
export async function measure(work, calls, inFlight) {
  const times = [];
  let left = Math.round(calls);
  const startedAt = performance.now();
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      await work();
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  return {
    p50: times[times.length >> 1],
    p99: times[Math.floor(times.length * 0.99)],
    rate: times.length / seconds,
  };
}

/** A request as it is sent. */
export function body(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
}

/** The body and the headers of a call of a tool. */
function toolCall(name, args) {
  return [body('tools/call', { name, arguments: args }), { 'mcp-method': 'tools/call', 'mcp-name': name }];
}

/** Calls a tool that may run twice over one node, and gives the answer as text. */
export async function call(url, name, args) {
  return result(await post(url, ...toolCall(name, args)));
}

/** Calls a tool that must not run twice: over a connection of its own, which no node has closed as idle. */
export async function callOnce(url, name, args) {
  const { answer, error } = await exchange(url, ...toolCall(name, args), false);
  if (error !== undefined) throw error;
  return result(answer);
}

function result(text) {
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text.slice(0, 300));
  return text;
}

/** The names of the tools that a node lists. */
export async function names(url) {
  const text = await post(url, body('tools/list', {}), { 'mcp-method': 'tools/list' });
  return (JSON.parse(text).result?.tools ?? []).map(({ name }) => name);
}

let again = 0;

/** Returns how many requests were sent again, as a node had closed their idle connection. */
export function sentAgain() {
  return again;
}

/**
 * Sends a POST, and sends it again when a node has closed its idle connection. Resolves with the body of the answer as text.
 *
 * @throws Error for any status but 200, and for a connection that ends before the answer does
 */
export async function post(url, text, more = {}) {
  for (;;) {
    const { answer, error, wasIdle } = await exchange(url, text, more);
    if (error === undefined) return answer;
    // A busy node reads its clock before its sockets: it closes a connection that has just got a request.
    if (!wasIdle || !CLOSED.has(error.code)) throw error;
    again += 1;
  }
}

/** Resolves with the answer or the error of one request, and with whether its connection was idle before. */
function exchange(url, text, more, by = agent) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'content-length': Buffer.byteLength(text),
    ...more,
  };
  return new Promise((resolve) => {
    const asked = request(url, { method: 'POST', headers, agent: by }, (response) => {
      const parts = [];
      response
        .on('data', (part) => parts.push(part))
        .on('error', (error) => resolve({ error, wasIdle: false }))
        .on('end', () => resolve(answerOf(url, response, Buffer.concat(parts).toString())));
    });
    asked.on('error', (error) => resolve({ error, wasIdle: asked.reusedSocket })).end(text);
  });
}

function answerOf(url, { statusCode }, answer) {
  if (statusCode === 200) return { answer };
  return { error: new Error(`${url} answers ${statusCode}: ${answer.slice(0, 300)}`), wasIdle: false };
}

/** Resolves as soon as that holds. */
export async function until(holds) {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The value in the middle. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Milliseconds, as they are printed. */
export function ms(value) {
  return `${value.toFixed(2)} ms`;
}
