import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { writeServers } from './server-files.js';

const SERVERS = { sa: { command: 'node', args: ['echo.js'] } };
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-bench-test-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['plain', { mcpServers: { sa: { command: 'node', args: ['echo.js'] } } }],
  ['mcpmux', { mcpServers: { sa: { command: 'node', args: ['echo.js'], mux: { shared: true } } } }],
  ['magg', { servers: { sa: { source: 'file:///', prefix: 'sa', command: 'node', args: ['echo.js'] } } }],
])('the file for %s names the servers as that program reads them', (dialect, expected) => {
  expect(JSON.parse(readFileSync(writeServers(folder, dialect, SERVERS), 'utf8'))).toEqual(expected);
});

it('there is no file for a program that is not known, and the error lists the known ones', () => {
  expect(() => writeServers(folder, 'other', SERVERS)).toThrow('no {config:other}, only plain, mcpmux, magg');
});
