#!/usr/bin/env node
// Calls a tool of a mcpmux at a url until the tool answers: at first the server of the tool is being installed.
// The token is in MCPMUX_HTTP_TOKEN.
//
// usage: node tools/call-cluster.mjs URL TOOL
import process from 'node:process';

const LIMIT_MS = 180_000;
const PAUSE_MS = 2000;
const REVISION = '2026-07-28';

const [url, tool] = process.argv.slice(2);
const message = `call ${process.pid}`;
const until = Date.now() + LIMIT_MS;
let answer = await answerOf().catch(String);
while (!answer.includes(message) && Date.now() < until) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  answer = await answerOf().catch(String);
}
const isAnswered = answer.includes(message);
process.stdout.write(`${isAnswered ? 'answered' : 'not answered'}: ${answer}\n`);
if (!isAnswered) process.exitCode = 1;

/** One call without a session: the balancer may send each one to another node. */
async function answerOf() {
  const meta = 'io.modelcontextprotocol';
  const params = {
    name: tool,
    arguments: { message },
    _meta: {
      [`${meta}/protocolVersion`]: REVISION,
      [`${meta}/clientInfo`]: { name: 'call-cluster', version: '1' },
      [`${meta}/clientCapabilities`]: {},
    },
  };
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${process.env.MCPMUX_HTTP_TOKEN}`,
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
  return `${response.status} ${await response.text()}`;
}
