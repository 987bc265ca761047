import type { Mux } from '@mcpmux/core';

/** V8 flags for a process that communicates only through pipes. */
const PIPE_FLAGS = ['--semi-space-growth-factor=1'];
const HTTP_FLAGS = ['--semi-space-growth-factor=2', '--heap-growing-percent=300'];

/**
 * Configures V8's garbage collection. With pipes, objects are short-lived, so the space for new objects stays at its
 * initial 3 MB. V8 would let it grow to 48 MB without making collections cheaper. With HTTP, pending requests retain
 * objects, and V8 counts bodies outside the heap as heap growth
 * ([0049](../../../../docs/decisions/0049-http-is-carried-in-bytes.md)).
 *
 * Call this after all code is loaded, because V8 recompiles code that is loaded after a flag has been set.
 *
 * @param isHttp true if clients connect over HTTP
 * @param setFlag sets a V8 flag
 */
export async function tuneHeapGrowth(
  mux: Pick<Mux, 'on' | 'listServers'>,
  isHttp: boolean,
  setFlag?: (flag: string) => void,
): Promise<void> {
  const setSingleFlag = setFlag ?? (await import('node:v8')).setFlagsFromString;
  const setFlags = (flags: readonly string[]): void => flags.forEach((flag) => setSingleFlag(flag));
  const usesHttp = (): boolean =>
    isHttp || mux.listServers({ everywhere: true }).some(({ url }) => url !== undefined);
  if (usesHttp()) return setFlags(HTTP_FLAGS);
  setFlags(PIPE_FLAGS);
  const unsubscribe = mux.on('server:added', () => {
    if (!usesHttp()) return;
    unsubscribe();
    setFlags(HTTP_FLAGS);
  });
}
