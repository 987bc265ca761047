import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import process from 'node:process';

import { expect, it } from 'vitest';

import { forEachLine } from '@mcpmux/testing/each-line';

const examples = fileURLToPath(new URL('../examples/', import.meta.url));

it('has an example that compiles as it stands', async () => {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', examples]);
  expect(stdout).toBe('');
});

it('has an example that calls a tool by its other name, and changes no other byte', async () => {
  const { renameTool } = await import('../examples/rename-tool.js');
  const [fromClient, toClient, fromServer, toServer] = Array.from({ length: 4 }, () => new PassThrough());
  if (!fromClient || !toClient || !fromServer || !toServer) throw new Error('four streams');
  const [client, server]: string[][] = [[], []];
  forEachLine(toClient, (line) => client?.push(line));
  forEachLine(toServer, (line) => server?.push(line));
  renameTool({ input: fromClient, output: toClient }, { input: fromServer, output: toServer }, 'old', 'new');
  fromClient.write('{"id":1,"method":"tools/call","params":{ "name":"new","arguments":{"n":1.0}}}\n');
  fromClient.write('{"id":2,"method":"tools/call","params":{"name":"other"}}\n');
  fromServer.write('{"id":1,"result":{"n":1.0}}\n');
  await expect
    .poll(() => [server, client])
    .toEqual([
      [
        '{"id":1,"method":"tools/call","params":{ "name":"old","arguments":{"n":1.0}}}',
        '{"id":2,"method":"tools/call","params":{"name":"other"}}',
      ],
      ['{"id":1,"result":{"n":1.0}}'],
    ]);
});
