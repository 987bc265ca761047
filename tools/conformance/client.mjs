#!/usr/bin/env node
// The client that the official conformance suite tests: a config with the server of the suite, a login where the
// scenario wants one, `mcpmux serve`, and a call of every tool. The suite starts it with the url of its server. Behind
// mcpmux stands a client of the era of the scenario.
//
// usage: node tools/conformance/client.mjs URL
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(join(root, 'e2e', 'package.json'));
const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/${path}`)));

/** The suite never fetches the client metadata document that it expects. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';
/** A person who is sent to log in again and again gives up. */
const MAX_LOGINS = 5;

const url = process.argv[2];
const {
  MCP_CONFORMANCE_SCENARIO: scenario = '',
  MCP_CONFORMANCE_CONTEXT: context = '{}',
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision = '2025-11-25',
} = process.env;
const { client_id: clientId, client_secret: clientSecret, toolCalls = [] } = JSON.parse(context);
const command = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
const home = mkdtempSync(join(tmpdir(), 'mcpmux-conformance-'));
const config = join(home, 'config.json');
const env = {
  ...process.env,
  HOME: home,
  XDG_STATE_HOME: home,
  XDG_CONFIG_HOME: home,
  MCPMUX_RUNTIME_DIR: home,
};
let logins = 0;

try {
  // On a busy machine the suite may not answer for seconds. Without an era, mcpmux then sends the handshake as well.
  const mux = revision >= '2026' ? { mux: { protocol: 'modern' } } : {};
  writeFileSync(config, JSON.stringify({ mcpServers: { c: { url, ...mux } } }));
  if (scenario.startsWith('auth/')) await logIn();
  await useTools();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Runs `mcpmux login` and opens the page that it prints, as a person does. */
async function logIn() {
  logins += 1;
  if (logins > MAX_LOGINS) throw new Error('mcpmux asks for logins without an end');
  const known = ['--client-id', clientId, '--client-secret-env', 'MCPMUX_SECRET'];
  const flags = clientId === undefined ? ['--client-metadata-url', CLIENT_METADATA] : known;
  const child = spawn(process.execPath, [command, 'login', 'c', '--config', config, ...flags], {
    env: { ...env, MCPMUX_SECRET: clientSecret },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  let opened;
  for await (const chunk of child.stderr) {
    told += chunk;
    const page = /^ {2}(http\S+)\n/m.exec(told)?.[1];
    if (page !== undefined) opened ??= fetch(page).then((response) => response.text());
  }
  if (child.exitCode === null) await once(child, 'exit');
  process.stderr.write(told);
  await opened;
  if (child.exitCode !== 0) throw new Error('mcpmux login has failed');
}

async function useTools() {
  const client = await connected();
  try {
    for (const tool of await toolsOf(client)) {
      for (const args of argumentsFor(tool)) await callTool(client, tool.name, args);
    }
    await useLists(client);
  } finally {
    await client.close();
  }
}

/** A client of the era of the scenario, connected to mcpmux. */
async function connected() {
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  const args = [command, 'serve', '--config', config, '--no-socket'];
  const server = { command: process.execPath, args, env, stderr: 'inherit' };
  const info = { name: 'conformance', version: '1.0.0' };
  const answer = () => ({ action: 'accept', content: {} });
  if (revision >= '2026') {
    const { Client } = await load('client');
    const { StdioClientTransport } = await load('client/stdio');
    const client = new Client(info, { capabilities, versionNegotiation: { mode: { pin: revision } } });
    client.setRequestHandler('elicitation/create', answer);
    await client.connect(new StdioClientTransport(server));
    return client;
  }
  const { Client } = await load('sdk/client/index.js');
  const { StdioClientTransport } = await load('sdk/client/stdio.js');
  const { ElicitRequestSchema } = await load('sdk/types.js');
  const client = new Client(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(new StdioClientTransport(server));
  return client;
}

/** Reads every resource, and gets every prompt. */
async function useLists(client) {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  for (const { uri } of resources ? (await client.listResources()).resources : [])
    await client.readResource({ uri });
  for (const { name } of prompts ? (await client.listPrompts()).prompts : [])
    await client.getPrompt({ name });
}

/** The tools of the server. A person follows the advice to log in. */
async function toolsOf(client) {
  for (;;) {
    const { content, structuredContent } = await client.callTool({ name: 'list_servers' });
    const [{ status }] = structuredContent.servers;
    const { tools } = await client.listTools();
    const found = tools.filter(({ name }) => name.startsWith('c__'));
    if (found.length > 0 || status === 'running') return found;
    if (status === 'starting') await setTimeout(100);
    else if (!isAdvisedToLogIn(content)) throw new Error(`the server has no tools: ${content[0].text}`);
    else {
      await logIn();
      await client.callTool({ name: 'reload_server', arguments: { name: 'c' } });
    }
  }
}

async function callTool(client, name, args) {
  for (;;) {
    const { content } = await client.callTool({ name, arguments: args }).catch(asResult);
    process.stderr.write(`${name}: ${JSON.stringify(content)}\n`);
    if (!isAdvisedToLogIn(content)) return;
    await logIn();
  }
}

/** An error that the server answers is a result as well. */
function asResult({ message: text }) {
  return { content: [{ type: 'text', text }] };
}

function isAdvisedToLogIn(content) {
  return content.some(({ text = '' }) => text.includes('mcpmux login c'));
}

/** The arguments of each call of a tool: those that the suite names, or one set that fits its schema. */
function argumentsFor({ name, inputSchema: { properties = {} } }) {
  const named = toolCalls.filter((call) => name === `c__${call.name}`);
  if (named.length > 0) return named.map((call) => call.arguments);
  const values = { number: 2, integer: 2, boolean: true, string: 'text' };
  return [Object.fromEntries(Object.entries(properties).map(([key, { type }]) => [key, values[type] ?? {}]))];
}
