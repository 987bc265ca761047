// The built command behind HTTP, with one server in its config, and a client of each era.
import { setTimeout as sleep } from 'node:timers/promises';

import { Command } from './command.mjs';

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const LISTENS_WITHIN_MS = 60_000;
const POLL_MS = 50;
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const CLIENT = { name: 'trips', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** `mcpmux serve --http`, called over a session and by POSTs that stand alone. */
export class HttpProduct {
  #command;
  #url;
  #session;
  #nextId = 1;

  constructor(root, servers) {
    this.#command = new Command(root, { args: ['--http', '0'], servers });
  }

  /** Waits until the command listens, and opens a session. */
  async initialize() {
    this.#url = await this.#address();
    const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT };
    const { headers } = await this.#post({ id: 0, method: 'initialize', params }, {});
    this.#session = { 'mcp-session-id': headers.get('mcp-session-id'), 'mcp-protocol-version': LEGACY };
    await this.#post({ method: 'notifications/initialized' }, this.#session);
  }

  callInSession(name, args) {
    return this.#call({ name, arguments: args }, this.#session);
  }

  callAlone(name, args) {
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name };
    return this.#call({ name, arguments: args, _meta: META }, headers);
  }

  coverage() {
    return this.#command.coverage();
  }

  close() {
    return this.#command.close((child) => child.kill('SIGTERM'));
  }

  async #call(params, headers) {
    const { status, text } = await this.#post({ id: this.#nextId++, method: 'tools/call', params }, headers);
    if (status !== 200 || !text.includes('"content"')) throw new Error(`${params.name}: ${status} ${text}`);
  }

  async #post(message, headers) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(this.#url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async #address() {
    const deadline = Date.now() + LISTENS_WITHIN_MS;
    for (;;) {
      const url = /serving MCP at (\S+)/.exec(this.#command.stderr)?.[1];
      if (url !== undefined) return url;
      if (Date.now() > deadline) throw new Error(`mcpmux does not listen\n${this.#command.stderr}`);
      await sleep(POLL_MS);
    }
  }
}
