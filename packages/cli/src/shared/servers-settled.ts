import type { Mux } from '@mcpmux/core';

/** Resolves when no server is starting, or after `withinMs`. */
export function serversSettled(mux: Pick<Mux, 'listServers' | 'on'>, withinMs: number): Promise<void> {
  const isAnyStarting = (): boolean =>
    mux.listServers({ everywhere: true }).some(({ status }) => status === 'starting');
  if (!isAnyStarting()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    };
    const look = (): void => {
      if (!isAnyStarting()) done();
    };
    const timer = setTimeout(done, withinMs);
    const stops = [mux.on('server:state', look), mux.on('server:removed', look)];
  });
}
