import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../json/json-object.js';
import { CLIENTS } from './client-list.js';
import type { ClientId } from './client-ids.js';
import { passedEnvironment } from './passed-environment.js';

const ENVIRONMENT = { PATH: '/bin', HOME: '/home/ann', MY_GH_TOKEN: 'a', MYSETTING: '1', LC_ALL: 'C' };

function client(id: ClientId) {
  const found = CLIENTS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

function names(id: ClientId, entry: JsonObject = {}, environment: object = ENVIRONMENT): readonly string[] {
  const places = { environment: { ...environment }, platform: 'linux' } as const;
  return Object.keys(passedEnvironment(client(id), entry, places) ?? {}).toSorted();
}

describe('a server that is started by', () => {
  it('Codex gets a short fixed list, and what the entry names', () => {
    expect(names('codex')).toEqual(['HOME', 'LC_ALL', 'PATH']);
    const entry = { env: { A: '1' }, env_vars: ['MY_GH_TOKEN', { name: 'MYSETTING', source: 'local' }] };
    expect(names('codex', entry)).toEqual(['A', 'HOME', 'LC_ALL', 'MYSETTING', 'MY_GH_TOKEN', 'PATH']);
  });

  it('Gemini CLI gets what does not look like a secret, and what the entry names', () => {
    expect(names('gemini')).toEqual(['HOME', 'LC_ALL', 'MYSETTING', 'PATH']);
    const env = { MY_GH_TOKEN: '$MY_GH_TOKEN' };
    expect(names('gemini', { env })).toContain('MY_GH_TOKEN');
  });

  it.each([
    ['DATABASE_URL', 'x'],
    ['my_api_key', 'x'],
    ['SSL_CERT_FILE', '/etc/ssl'],
    ['PLAIN', `ghp_${'a'.repeat(36)}`],
    ['PLAIN', 'https://ann:hunter2@example.com'],
    ['PLAIN', '-----BEGIN RSA PRIVATE KEY-----'],
    ['PLAIN', `AKIA${'A'.repeat(16)}`],
  ])('Gemini CLI does not get %s=%s', (name, value) => {
    expect(names('gemini', {}, { [name]: value })).toEqual([]);
  });

  it.each(['GEMINI_CLI_TOKEN', 'path', 'PLAIN'])('Gemini CLI gets %s', (name) => {
    expect(names('gemini', {}, { [name]: 'x' })).toEqual([name]);
  });

  it.each(['claude-desktop', 'cline', 'roo'] as const)('%s gets what the SDK passes on, and env', (id) => {
    expect(names(id, { env: { A: '1' } })).toEqual(['A', 'HOME', 'PATH']);
  });

  it('a client of which nothing is known is not judged', () => {
    const places = { environment: ENVIRONMENT, platform: 'linux' } as const;
    expect(passedEnvironment(client('claude-code'), {}, places)).toBeUndefined();
  });

  it('Codex on Windows gets its list there, however it is spelled', () => {
    const places = { environment: { Path: 'C:\\', TERM: 'x', MYSETTING: '1' }, platform: 'win32' } as const;
    expect(passedEnvironment(client('codex'), {}, places)).toEqual({ Path: 'C:\\' });
  });
});

describe('an entry that passes variables on', () => {
  it.each([
    ['codex', {}, { env_vars: ['A', 'B'] }],
    ['codex', { env_vars: ['B', 'C'] }, { env_vars: ['B', 'C', 'A'] }],
    ['gemini', { env: { B: 'own' } }, { env: { A: '$A', B: 'own' } }],
    ['roo', {}, { env: { A: '${env:A}', B: '${env:B}' } }],
  ] as const)('of %s: %j', (id, entry, expected) => {
    expect(client(id).environment?.withVariables?.(entry, ['A', 'B'])).toEqual(expected);
    expect(client(id).environment?.withVariables?.(entry, [])).toEqual(entry);
    expect(names(id, expected, { A: '1', B: '2' })).toEqual(expect.arrayContaining(['A', 'B']));
  });

  it.each(['claude-desktop', 'cline'] as const)('does not exist in %s, which takes values only', (id) => {
    expect(client(id).environment?.withVariables).toBeUndefined();
  });
});
