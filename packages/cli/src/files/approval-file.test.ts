import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ApprovalFile } from './approval-file.js';

const CALL = {
  server: 's',
  tool: 't',
  arguments: '{"token":"s3cret"}',
  client: 'c',
  principal: 'local',
  session: 1,
  scopes: [],
};

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcpmux-approvals-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function file(): ApprovalFile {
  const environment = { XDG_STATE_HOME: home, LOCALAPPDATA: home };
  return new ApprovalFile({ environment, home, platform: process.platform });
}

const path = (): string => join(home, 'mcpmux', 'approvals.json');

it('E12: an approval is there for every process until it is withdrawn', async () => {
  await file().add('aaaaaaaa1', CALL);
  await file().add('aaaaaaaa1', CALL);
  await file().add('bbbbbbbb2', CALL);
  expect([await file().has('aaaaaaaa1'), await file().has('aaaaaaaa')]).toEqual([true, false]);
  expect(file().list()).toMatchObject([{ server: 's', tool: 't', client: 'c' }, { digest: 'bbbbbbbb2' }]);
  expect(await file().withdraw('aaaaaaaa')).toBe(1);
  expect([await file().has('aaaaaaaa1'), await file().has('bbbbbbbb2')]).toEqual([false, true]);
  expect(await file().withdraw('')).toBe(1);
  expect(file().list()).toEqual([]);
});

it.skipIf(process.platform === 'win32')('E12: only its owner reads it, and it has no arguments', async () => {
  await file().add('aaaaaaaa1', CALL);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readFileSync(path(), 'utf8')).not.toContain('s3cret');
});

it('E12: a broken file approves nothing, and is not overwritten', async () => {
  await file().add('aaaaaaaa1', CALL);
  writeFileSync(path(), '{');
  await expect(file().has('aaaaaaaa1')).rejects.toThrow('JSON');
  await expect(file().add('b', CALL)).rejects.toThrow('JSON');
  expect(readFileSync(path(), 'utf8')).toBe('{');
});

it('E12: of many approvals the oldest are forgotten', async () => {
  const approvals = Array.from({ length: 1000 }, (_, at) => ({
    digest: `d${at}`,
    server: 's',
    tool: 't',
    since: at,
  }));
  await file().add('first', CALL);
  writeFileSync(path(), JSON.stringify({ approvals }));
  await file().add('last', CALL);
  expect([await file().has('d0'), await file().has('d1'), await file().has('last')]).toEqual([
    false,
    true,
    true,
  ]);
});
