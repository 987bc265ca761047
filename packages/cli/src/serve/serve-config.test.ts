import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Mux, ServerStatus } from '@mcpmux/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { StderrLogger } from '../log/stderr-logger.js';
import { startReconciler } from './serve-config.js';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mcpmux-serve-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A mux that records the guards and the servers that it gets, in order. */
function recordingMux(): { readonly mux: Mux; readonly actions: string[] } {
  const actions: string[] = [];
  const mux: Partial<Mux> = {
    use: () => {
      actions.push('guard');
      return () => actions.push('no guard');
    },
    addServer: (name: string) => {
      actions.push(`add ${name}`);
      return Promise.resolve({ name, tools: [] as readonly string[] } as ServerStatus);
    },
    expose: () => undefined,
    on: () => () => undefined,
  };
  return { mux: mux as Mux, actions };
}

it('A6: guards that a config gains are in force before the servers that it gains start', async () => {
  const file = join(folder, 'mcpmux.json');
  const write = (config: object): void => writeFileSync(file, JSON.stringify(config));
  const { mux, actions } = recordingMux();
  // The default of long results is a guard too.
  const none = { largeResults: 'off' };
  write({ mcpServers: {}, guards: none });
  const { reconciler } = await startReconciler(
    { file, origin: 'flag', folder },
    { mux, logger: new StderrLogger('error', 'json'), options: {}, onRequiredFailed: () => undefined },
  );
  const guards = { ...none, access: { rules: [], otherwise: 'deny' } };
  write({ mcpServers: { a: { command: 'a' } }, guards });
  reconciler.apply();
  expect(actions).toEqual(['guard', 'add a']);
  write({ mcpServers: { a: { command: 'a' } }, guards: none });
  reconciler.apply();
  expect(actions).toEqual(['guard', 'add a', 'no guard']);
});
