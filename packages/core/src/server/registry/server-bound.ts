import { MuxError } from '@mcpmux/kit';
import { isSessionInstance, type ServerInLayer } from '../config/isolation.js';
import type { Layer } from '../config/layer.js';

/** Returns the limit for one workspace or session: a quarter of the limit for all servers, but at least 1. */
export function maxServersInLayer(maxServers: number): number {
  return Math.max(1, Math.floor(maxServers / 4));
}

/**
 * Checks that a layer has room for one more server. Session instances do not count.
 *
 * @throws MuxError INVALID_CONFIG if it has none; the message names the layer from which a server must be removed
 */
export function checkServerCount(servers: readonly ServerInLayer[], layer: Layer, maxServers: number): void {
  const counted = servers.filter((server) => !isSessionInstance(server));
  const own = counted.filter((server) => server.layer === layer).length;
  if (counted.length >= maxServers) throw limitError(maxServers, removalAdvice(maxServers, own, layer));
  const bound = maxServersInLayer(maxServers);
  if (layer.isShared || own < bound) return;
  throw limitError(bound, ' for one workspace or session. Remove one of your own servers first.');
}

function removalAdvice(count: number, own: number, layer: Layer): string {
  if (own === count) return '. Remove one of them first.';
  const what = layer.isShared ? 'shared' : 'your own';
  if (own === 0) return `. None of them is ${what}. Wait until one of them is removed.`;
  return `. Of them ${own} ${own === 1 ? 'is' : 'are'} ${what}. Remove one that is ${what} first.`;
}

function limitError(count: number, more: string): MuxError {
  return new MuxError('INVALID_CONFIG', `${count} servers are registered, which is the limit${more}`);
}
