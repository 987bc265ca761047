import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';

/** What a tool call brought, reduced to what both SDKs agree on. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

/** A tool as listed. */
export type ListedTool = Readonly<Record<string, unknown>> & { readonly name: string };

export interface CallExtras {
  readonly onProgress?: (progress: { readonly progress: number }) => void;
}

/** An agent's view of mcpmux: a real SDK client on the built command. */
export interface Agent extends AsyncDisposable {
  readonly pid: number;
  /** How often the tools were announced to have changed. */
  readonly listChanges: () => number;
  /** Calls `listener` at every announcement from now on. */
  onListChanged(listener: () => void): void;
  tools(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, extras?: CallExtras): Promise<ToolAnswer>;
}

/** The command that an agent starts. */
export interface AgentCommand {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const COMMAND: AgentCommand = { args: ['--log-level', 'error'] };

/** The options of a transport, which are the same in both SDKs. */
interface Started {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: 'inherit';
  readonly cwd?: string;
}

function started({ args, env, cwd }: AgentCommand): Started {
  const place = cwd === undefined ? {} : { cwd };
  return { command: NODE, args: [CLI, ...args], env: cleanEnvironment(env), stderr: 'inherit', ...place };
}

function toAnswer({ content, isError, structuredContent }: Readonly<Record<string, unknown>>): ToolAnswer {
  const blocks = (content ?? []) as Readonly<Record<string, unknown>>[];
  return {
    text: blocks.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join('\n'),
    isError: isError === true,
    structured: (structuredContent ?? {}) as Readonly<Record<string, unknown>>,
    content: blocks,
  };
}

/** The announcements that one client got. */
class Announcements {
  count = 0;
  readonly listeners: (() => void)[] = [];

  arrived(): void {
    this.count += 1;
    for (const listener of this.listeners) listener();
  }
}

async function connectV1(command = COMMAND): Promise<Agent> {
  const client = new ClientV1({ name: 'e2e-v1', version: '1' });
  const transport = new TransportV1(started(command));
  const announcements = new Announcements();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => announcements.arrived());
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    listChanges: () => announcements.count,
    onListChanged: (listener) => announcements.listeners.push(listener),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, { onProgress } = {}) =>
      toAnswer(
        await client.callTool({ name, arguments: args }, undefined, onProgress && { onprogress: onProgress }),
      ),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectV2(command = COMMAND): Promise<Agent> {
  const client = new ClientV2({ name: 'e2e-v2', version: '1' });
  const transport = new TransportV2(started(command));
  const announcements = new Announcements();
  client.setNotificationHandler('notifications/tools/list_changed', () => announcements.arrived());
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    listChanges: () => announcements.count,
    onListChanged: (listener) => announcements.listeners.push(listener),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, { onProgress } = {}) =>
      toAnswer(await client.callTool({ name, arguments: args }, onProgress && { onprogress: onProgress })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The clients that agents are built with. */
export const AGENTS: readonly (readonly [
  name: string,
  connect: (command?: AgentCommand) => Promise<Agent>,
])[] = [
  ['SDK v1 client', connectV1],
  ['SDK v2 client', connectV2],
];
