import type { Mux } from '@mcpmux/core';
import { expect, it } from 'vitest';

import { tuneHeapGrowth } from './heap-growth.js';

type ServerInfo = ReturnType<Mux['listServers']>[number];

const PIPES = ['--semi-space-growth-factor=1'];
const HTTP = ['--semi-space-growth-factor=2', '--heap-growing-percent=300'];

/** A mux with a server for each of these URLs, and the flags that are set for it. */
async function flagsOf(urls: readonly (string | undefined)[], isHttp = false) {
  const servers = urls.map((url) => ({ url }) as ServerInfo);
  const listeners = new Set<() => void>();
  const mux = {
    listServers: () => servers,
    on: (_: string, listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Mux;
  const flags: string[] = [];
  await tuneHeapGrowth(mux, isHttp, (flag) => void flags.push(flag));
  const add = (url?: string): void => {
    servers.push({ url } as ServerInfo);
    for (const listener of listeners) listener();
  };
  return { flags, add };
}

it('the space for new objects stays small where all peers are pipes', async () => {
  const { flags, add } = await flagsOf([undefined]);
  add();
  expect(flags).toEqual(PIPES);
});

it('the heap grows where clients come over HTTP', async () => {
  expect((await flagsOf([], true)).flags).toEqual(HTTP);
});

it('the heap grows where a server has a url', async () => {
  expect((await flagsOf([undefined, 'http://127.0.0.1/mcp'])).flags).toEqual(HTTP);
});

it('the heap grows once the first server with a url is added', async () => {
  const { flags, add } = await flagsOf([]);
  add('http://127.0.0.1/mcp');
  add('http://127.0.0.1/other');
  expect(flags).toEqual([...PIPES, ...HTTP]);
});
