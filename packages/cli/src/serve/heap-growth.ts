import type { Mux } from '@mcpmux/core';

/** V8 flags for processes whose peers are all pipes. Other flags apply if some peers speak HTTP. */
const PIPES = ['--semi-space-growth-factor=1'];
const HTTP = ['--semi-space-growth-factor=2', '--heap-growing-percent=300'];

/**
 * Tells V8 when to collect garbage.
 *
 * If all peers are pipes, the objects of mcpmux live only for a moment, so the space for new objects keeps its initial
 * 3 MB. V8 would let it grow to 48 MB under load, without cheaper collections. An HTTP request holds the objects of its
 * connection until it is answered. Some hundred requests in flight fill 3 MB with live objects.
 *
 * Over HTTP, bodies are memory outside the heap, which counts as growth of the heap. V8 would collect the whole heap
 * once the bodies are 20 MB, because other threads do most of that work, and V8 does not count their time.
 *
 * Call this function after all code is loaded. V8 recompiles code that is loaded after a flag was set, even Node's own
 * modules.
 *
 * Node.js documents that a flag that is set after the start may do anything, or nothing. V8 reads these flags as
 * numbers when it computes the next size of a space. They change no object, layout or code. A V8 that ignores them only
 * costs memory or time ([0049](../../../../docs/decisions/0049-http-is-carried-in-bytes.md)).
 *
 * @param isHttp true if clients connect over HTTP
 * @param setFlag sets a flag of V8
 */
export async function fitHeapGrowth(
  mux: Pick<Mux, 'on' | 'listServers'>,
  isHttp: boolean,
  setFlag?: (flag: string) => void,
): Promise<void> {
  const setOne = setFlag ?? (await import('node:v8')).setFlagsFromString;
  const set = (flags: readonly string[]): void => flags.forEach((flag) => setOne(flag));
  const speaksHttp = (): boolean =>
    isHttp || mux.listServers({ everywhere: true }).some(({ url }) => url !== undefined);
  if (speaksHttp()) return set(HTTP);
  set(PIPES);
  const off = mux.on('server:added', () => {
    if (!speaksHttp()) return;
    off();
    set(HTTP);
  });
}
