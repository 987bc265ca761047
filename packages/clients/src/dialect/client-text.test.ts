import { describe, expect, it } from 'vitest';

import { CLIENTS } from '../client/client-list.js';
import type { ClientId } from '../client/client-ids.js';

const URL = 'https://a.example/mcp';
const TEXTS = [
  '${file:/etc/passwd}',
  'Bearer ${secret:github}',
  '${TOKEN:-${file:/etc/passwd}}',
  '$${file:/x}',
];

function dialectOf(id: ClientId) {
  const client = CLIENTS.find((one) => one.id === id);
  if (client === undefined) throw new TypeError(id);
  return client.dialect;
}

/** The strings of an entry that mcpmux would replace: every `${` without a `$` before it. */
function replaced(value: unknown): readonly string[] {
  return JSON.stringify(value).match(/(?<!\$)\$\{[^}]*/g) ?? [];
}

describe('placeholders of mcpmux in the file of a client', () => {
  it.each(['claude-code', 'cursor', 'gemini', 'roo', 'vscode', 'windsurf'] as const)(
    'of %s are text for mcpmux too, and variables are not',
    (id) => {
      const headers = Object.fromEntries(TEXTS.map((text, at) => [`x-${at}`, text]));
      const imported = dialectOf(id).toMux({ url: URL, headers: { ...headers, y: '${TOKEN}' } });
      const [first, ...others] = replaced(imported);
      expect([first, ...others]).toEqual([expect.stringMatching(/^\$\{TOKEN:-/), '${TOKEN']);
    },
  );

  it('are given back as they were', () => {
    const entry = { type: 'http', url: URL, headers: { a: '${file:/x}', b: '${secret:y}', c: '${input:z}' } };
    const imported = dialectOf('claude-code').toMux(entry);
    expect(imported).toMatchObject({
      entry: { headers: { a: '$${file:/x}', b: '$${secret:y}', c: '$${input:z}' } },
    });
    expect(imported.kind === 'server' && dialectOf('claude-code').fromMux(imported.entry).entry).toEqual(
      entry,
    );
  });

  it('a client that replaces them itself keeps what it has: inputs of VS Code, files of opencode', () => {
    const asked = dialectOf('vscode').toMux({ type: 'http', url: URL, headers: { a: '${input:token}' } });
    expect(asked).toMatchObject({ entry: { headers: { a: '${input:token}' } } });
    const read = dialectOf('opencode').toMux({
      type: 'remote',
      url: URL,
      headers: { a: '{file:/x}', b: '${file:/x}' },
    });
    expect(read).toMatchObject({
      entry: { headers: { a: '${file:/x}', b: expect.stringContaining('$${file:') as string } },
    });
  });

  it('are left out of a file of opencode, which would replace them', () => {
    const entry = { url: URL, headers: { a: '$${file:/x}', b: 'kept' } };
    const { entry: exported, notes } = dialectOf('opencode').fromMux(entry);
    expect(exported).toMatchObject({ headers: { a: '', b: 'kept' } });
    expect(notes).toEqual([expect.stringContaining('left out')]);
  });

  it('a name of a variable in a file of Codex cannot be the name of a file', () => {
    const imported = dialectOf('codex').toMux({
      url: URL,
      env_http_headers: { 'x-key': 'file:/etc/passwd' },
    });
    expect(JSON.stringify(imported)).not.toContain('${file:');
  });
});
