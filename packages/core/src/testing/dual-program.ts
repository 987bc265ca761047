import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

import type { ServerConfig } from '../server/config/server-config.js';
import { bundleText } from './bundled-program.js';

/** On SDK 2.4.0, for both eras: tools that ask by requests of the server, and one that asks in its result. */
const TOOLS = `
  import { createMcpHandler, fromJsonSchema, inputRequired, isLegacyRequest, McpServer,
    WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
  import { serveStdio } from '@modelcontextprotocol/server/stdio';
  const inputSchema = fromJsonSchema({ type: 'object', properties: {} });
  const requestedSchema = { type: 'object', properties: { v: { type: 'string' } } };
  const text = (said) => ({ content: [{ type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }] });
  // Of the clients that listen over HTTP, where each request has a server of its own.
  let listeners;
  function tools({ era }) {
    if (era === 'legacy' && OPTIONS.breaksInLegacy) process.exit(3);
    const server = new McpServer({ name: 'dual', version: '1' }, { capabilities: { tools: {}, resources: { subscribe: true } } });
    server.registerTool('era', { inputSchema }, () => text(era));
    server.registerTool('pid', { inputSchema }, () => text(String(process.pid)));
    server.registerTool('ask', { inputSchema }, async ({ message = 'Well?' }, { mcpReq }) =>
      text(await mcpReq.elicitInput({ message, requestedSchema })));
    server.registerTool('sample', { inputSchema }, async (_, { mcpReq }) =>
      text(await mcpReq.requestSampling({ messages: [], maxTokens: 7 })));
    server.registerTool('ask_by_input', { inputSchema }, ({ message = 'Well?' }, { mcpReq }) =>
      mcpReq.inputResponses === undefined
        ? inputRequired({ inputRequests: { q: inputRequired.elicit({ message, requestedSchema }) } })
        : text(mcpReq.inputResponses.q));
    const subscribed = new Set();
    server.server.setRequestHandler('resources/subscribe', ({ params }) => (subscribed.add(params.uri), {}));
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => (subscribed.delete(params.uri), {}));
    server.registerResource('memo', 'memo:///a', {}, ({ href }) => ({ contents: [{ uri: href, text: href }] }));
    server.registerTool('touch', { inputSchema }, async () => {
      const uri = 'memo:///a';
      if (era === 'modern' && listeners !== undefined) listeners.resourceUpdated(uri);
      else if (era === 'modern' || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
      return text('touched');
    });
    return server;
  }`;

const STDIO = 'serveStdio(tools, OPTIONS);';

/** Requests of 2026-07-28 stand alone. All others belong to a session, or are answered by a server of their own each. */
const HTTP = `
  import { once } from 'node:events';
  import { createServer } from 'node:http';
  const { hasSessions = true, legacy } = OPTIONS;
  const modern = createMcpHandler(tools, hasSessions ? { legacy: 'reject' } : { legacy });
  listeners = modern.notify;
  const sessions = new Map();
  async function inSession(request) {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await tools({ era: 'legacy' }).connect(transport);
    return transport.handleRequest(request);
  }
  const http = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, headers, url } = incoming;
    const body = method === 'POST' ? Buffer.concat(chunks) : undefined;
    const request = new Request('http://' + headers.host + url, { method, headers, body });
    const isOfSession = hasSessions && (method !== 'POST' || (await isLegacyRequest(request)));
    const response = await (isOfSession ? inSession(request) : modern.fetch(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body === null) return outgoing.end();
    const reader = response.body.getReader();
    outgoing.on('close', () => void reader.cancel().catch(() => undefined));
    for (let read = await reader.read(); !read.done; read = await reader.read()) outgoing.write(read.value);
    outgoing.end();
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  console.log('http://127.0.0.1:' + http.address().port + '/mcp');`;

/** How the server behaves. */
export interface DualOptions {
  /** `reject`: it speaks the modern era alone. */
  readonly legacy?: 'reject';
  /** False for a URL without sessions: there the server cannot ask clients of the legacy era. */
  readonly hasSessions?: boolean;
  /** True: the process exits when it is sent the handshake. */
  readonly breaksInLegacy?: boolean;
}

/** Node.js starts a bundle in half the time that the modules of the SDK take. */
const bundles = { stdio: bundled(STDIO), http: bundled(HTTP) };

function bundled(program: string): Promise<string> {
  return bundleText(`const OPTIONS = JSON.parse(process.argv[2]);\n${TOOLS}\n${program}`);
}

async function commandOf(program: keyof typeof bundles, options: DualOptions) {
  return { command: process.execPath, args: [await bundles[program], JSON.stringify(options)] };
}

/** The server as a program. */
export function dualProgram(options: DualOptions = {}) {
  return commandOf('stdio', options);
}

/** The server at a URL. */
export class DualRemote implements AsyncDisposable {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async open(options: DualOptions = {}): Promise<DualRemote> {
    const { command, args } = await commandOf('http', options);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new DualRemote(url, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill();
    await gone;
  }
}

/** Where a server of both eras is. */
export type Where = 'over stdio' | 'at a url';

/** The configurations of servers, which end with it. */
export class DualServers implements AsyncDisposable {
  private readonly remotes: DualRemote[] = [];

  async configOf(where: Where, options: DualOptions = {}): Promise<ServerConfig> {
    if (where === 'over stdio') return dualProgram(options);
    const remote = await DualRemote.open(options);
    this.remotes.push(remote);
    return { url: remote.url };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.remotes.splice(0).map((remote) => remote[Symbol.asyncDispose]()));
  }
}
