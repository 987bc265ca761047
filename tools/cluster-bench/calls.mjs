import { Agent, request } from 'node:http';

/** How many calls are in flight at a time when calls in a second are counted. */
export const IN_FLIGHT = 32;
const agent = new Agent({ keepAlive: true, maxSockets: 2 * IN_FLIGHT });

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

/** Calls a tool over one node, and gives the answer as text. */
export async function call(url, name, args) {
  const text = await post(url, body('tools/call', { name, arguments: args }), {
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text.slice(0, 300));
  return text;
}

/** The names of the tools that a node lists. */
export async function names(url) {
  const text = await post(url, body('tools/list', {}), { 'mcp-method': 'tools/list' });
  return (JSON.parse(text).result?.tools ?? []).map(({ name }) => name);
}

/** Sends a POST. Resolves with the body of the answer as text. */
export function post(url, text, more = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'content-length': Buffer.byteLength(text),
    ...more,
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent }, (response) => {
      const parts = [];
      response
        .on('data', (part) => parts.push(part))
        .on('end', () => resolve(Buffer.concat(parts).toString()));
    })
      .on('error', reject)
      .end(text);
  });
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
