import type { Mux } from '@mcpmux/core';

/** The factor of V8 by which the space for new objects grows. */
const GROWS = 2;
const STAYS = 1;

/**
 * Keeps the space for new objects at its initial 3 MB as long as all servers are processes. Objects of mcpmux live for a
 * moment then: V8 would let that space grow to 48 MB under load, and collect it no cheaper. A request over HTTP holds the
 * objects of its connection until it is answered: some hundred in flight fill 3 MB with living objects, and collections
 * take a third of the CPU time.
 *
 * Call it when all code is loaded: V8 compiles code that is loaded after a flag was set anew, Node's own modules too.
 */
export async function keepYoungGenerationSmall(mux: Pick<Mux, 'on' | 'listServers'>): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  const isUrlThere = (): boolean =>
    mux.listServers({ everywhere: true }).some(({ url }) => url !== undefined);
  if (isUrlThere()) return;
  grow(STAYS);
  const off = mux.on('server:added', () => {
    if (!isUrlThere()) return;
    off();
    grow(GROWS);
  });
}
