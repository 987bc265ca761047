import type { Mux } from '@mcpmux/core';

/** V8 flags for processes whose peers are all pipes. Other flags apply if some peers speak HTTP. */
const PIPES = ['--semi-space-growth-factor=1'];
const HTTP = ['--semi-space-growth-factor=2', '--heap-growing-percent=300'];

/**
 * Tells V8 when to collect garbage. Among pipes, objects live for a moment: their space keeps its first 3 MB, which V8
 * would let grow to 48 MB without cheaper collections. Over HTTP, requests in flight hold objects, and bodies outside the
 * heap count as its growth ([0049](../../../../docs/decisions/0049-http-is-carried-in-bytes.md)).
 *
 * Call this function after all code is loaded: V8 recompiles code that is loaded after a flag was set.
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
