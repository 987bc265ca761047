// The cell server over HTTP, on a free port that it tells its parent: modern requests by `createMcpHandler`, legacy
// ones in sessions, or not at all with `--modern-only`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { Readable } from 'node:stream';

import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import { cellServer } from './cell-tools.mjs';

const isModernOnly = process.argv.includes('--modern-only');
const sessions = new Map();
const modern = createMcpHandler(({ era }) => cellServer({ era, changes: modern.notify }), {
  legacy: 'reject',
});

const http = createServer((incoming, outgoing) => {
  answer(requestOf(incoming, outgoing))
    .then((response) => pass(response, outgoing))
    .catch(() => outgoing.destroy());
});
http.listen(0, '127.0.0.1', () => process.send(http.address().port));

async function answer(request) {
  if (isModernOnly || !(await isLegacyRequest(request))) return modern.fetch(request);
  const id = request.headers.get('mcp-session-id');
  const transport = id === null ? await newSession() : sessions.get(id);
  return transport === undefined ? new Response(null, { status: 404 }) : transport.handleRequest(request);
}

async function newSession() {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await cellServer({ era: 'legacy' }).connect(transport);
  return transport;
}

function requestOf(incoming, outgoing) {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const { method, url, headers } = incoming;
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers,
    signal: gone.signal,
    ...(method === 'POST' && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

function pass(response, outgoing) {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) return outgoing.end();
  const body = Readable.fromWeb(response.body);
  outgoing.on('close', () => body.destroy());
  body.on('error', () => outgoing.destroy());
  return body.pipe(outgoing);
}
