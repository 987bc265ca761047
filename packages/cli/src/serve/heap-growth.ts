import type { Mux } from '@mcpmux/core';

/** Flags of V8 where all peers are pipes, and where some speak HTTP. */
const PIPES = ['--semi-space-growth-factor=1'];
const HTTP = ['--semi-space-growth-factor=2', '--heap-growing-percent=300'];

/**
 * Tells V8 when to collect garbage.
 *
 * Where all peers are pipes, objects of mcpmux live for a moment: the space for new objects keeps its initial 3 MB. V8
 * would let it grow to 48 MB under load, and collect it no cheaper. A request over HTTP holds the objects of its
 * connection until it is answered: some hundred in flight fill 3 MB with living objects.
 *
 * Over HTTP bodies are memory outside of the heap, which counts as growth of the heap. V8 would collect all of the heap
 * once they are 20 MB, as most of that is done by other threads, whose time it does not count.
 *
 * Call it when all code is loaded: V8 compiles code that is loaded after a flag was set anew, Node's own modules too.
 *
 * Node.js documents that a flag which is set after the start may do anything, or nothing. V8 reads these flags as numbers
 * at the moment when it computes the next size of a space; they change no object, layout or code. A V8 that ignores them
 * costs memory or time, and nothing else ([0049](../../../../docs/decisions/0049-http-is-carried-in-bytes.md)).
 *
 * @param isHttp clients come over HTTP
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
