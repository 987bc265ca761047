import process from 'node:process';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';

import { fixtureCommand, type FixtureName } from './index.js';
import { RawDriver } from './testing/raw-driver.js';

interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly stderr: Promise<string>;
}

async function connect(name: FixtureName): Promise<Connection> {
  const transport = new StdioClientTransport({ ...fixtureCommand(name), stderr: 'pipe' });
  const stderr = transport.stderr instanceof Readable ? text(transport.stderr) : Promise.resolve('');
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return { client, stderr, [Symbol.asyncDispose]: async () => client.close() };
}

async function toolNames({ client }: Connection): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
}

describe.each(['echo', 'echo-sdk', 'echo-v2'] as const)('%s', (name) => {
  it('returns the message of echo and slow_echo as one text block', async () => {
    await using connection = await connect(name);
    const content = [{ type: 'text', text: 'héllo ✓' }];
    await expect(
      connection.client.callTool({ name: 'echo', arguments: { message: 'héllo ✓' } }),
    ).resolves.toMatchObject({ content });
    await expect(
      connection.client.callTool({ name: 'slow_echo', arguments: { message: 'héllo ✓', delay_ms: 1 } }),
    ).resolves.toMatchObject({ content });
  });

  it('answers slow calls later than fast ones', async () => {
    await using connection = await connect(name);
    const order: string[] = [];
    const note = async (tool: string, args: object): Promise<void> => {
      await connection.client.callTool({ name: tool, arguments: { message: tool, ...args } });
      order.push(tool);
    };
    await Promise.all([note('slow_echo', { delay_ms: 50 }), note('echo', {})]);
    expect(order).toEqual(['echo', 'slow_echo']);
  });

  it('exits with code 0 when its stdin ends', async () => {
    await using driver = new RawDriver(name);
    await driver.initialize();
    driver.end();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
  });
});

describe('echo', () => {
  it('has the tools echo and slow_echo', async () => {
    await using connection = await connect('echo');
    await expect(toolNames(connection)).resolves.toEqual(['echo', 'slow_echo']);
  });
});

describe('echo-v2', () => {
  it('has reverse besides the tools of echo', async () => {
    await using connection = await connect('echo-v2');
    await expect(toolNames(connection)).resolves.toEqual(['echo', 'slow_echo', 'reverse']);
    await expect(
      connection.client.callTool({ name: 'reverse', arguments: { message: 'mux 日本' } }),
    ).resolves.toMatchObject({ content: [{ type: 'text', text: '本日 xum' }] });
  });
});

describe('crash', () => {
  it('fails the call in flight when it exits, and says on stderr that it was asked to', async () => {
    await using connection = await connect('crash');
    await expect(connection.client.callTool({ name: 'crash' })).rejects.toThrow('Connection closed');
    await expect(connection.stderr).resolves.toBe('crash: exiting with code 1 as asked\n');
  });

  it('exits with code 1', async () => {
    await using driver = new RawDriver('crash');
    await driver.initialize();
    driver.start('tools/call', { name: 'crash', arguments: {} });
    await expect(driver.exit()).resolves.toEqual({ code: 1, signal: null });
  });
});

it('runs a fixture with the Node.js of the caller', () => {
  expect(fixtureCommand('echo').command).toBe(process.execPath);
});
