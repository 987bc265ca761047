import type { Guard } from '@mcpmux/core';
import { describe, expect, it } from 'vitest';

import { ConfigCodeMode } from './config-code-mode.js';
import { readConfig } from './read-config.js';

function recorded(flags = {}): { readonly code: ConfigCodeMode; readonly guards: Guard[] } {
  const guards: Guard[] = [];
  const use = (guard: Guard): (() => void) => {
    guards.push(guard);
    return () => guards.splice(guards.indexOf(guard), 1);
  };
  return { code: new ConfigCodeMode({ use } as never, flags), guards };
}

describe('code mode of a config', () => {
  it('is off unless the config or the command line turns it on', async () => {
    const { code, guards } = recorded();
    await code.apply(undefined);
    await code.apply(false);
    expect(guards).toEqual([]);
    await code.apply(true);
    expect(guards).toMatchObject([{ answers: 'run_code' }]);
    const flagged = recorded({ codeMode: true });
    await flagged.code.apply(false);
    expect(flagged.guards).toHaveLength(1);
  });

  it('is replaced when its limits change, and only then', async () => {
    const { code, guards } = recorded();
    await code.apply({ maxCalls: 5 });
    const [first] = guards;
    await code.apply({ maxCalls: 5 });
    expect(guards).toEqual([first]);
    await code.apply({ maxCalls: 6 });
    expect(guards).toHaveLength(1);
    expect(guards[0]).not.toBe(first);
    await code.apply(false);
    expect(guards).toEqual([]);
  });

  it('is the one of the last config where two come one after the other', async () => {
    const { code, guards } = recorded();
    await Promise.all([code.apply(true), code.apply({ maxCalls: 1 }), code.apply(undefined)]);
    expect(guards).toEqual([]);
  });

  it('is read from mux.codeMode, and reports what it cannot be', () => {
    const read = (codeMode: unknown) => readConfig('c.json', JSON.stringify({ mux: { codeMode } }));
    expect(read(true).codeMode).toBe(true);
    expect(read({ maxCalls: 20 }).codeMode).toEqual({ maxCalls: 20 });
    expect(read({ maxCall: 20 }).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('maxCall'),
    ]);
    expect(read('yes').problems).toHaveLength(1);
  });
});
