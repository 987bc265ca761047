import { stringAt } from '@mcpmux/wire';
import type { ServerNotification, ServerRequest } from '../../upstream/link/pending-call.js';
import type { ServerEvent } from '../../upstream/server-event.js';

/** The text at a path of the params that a server sent; undefined when there is none, or something else. */
export function paramText(
  { line, message }: Pick<ServerEvent<ServerNotification | ServerRequest>, 'line' | 'message'>,
  path: string,
): string | undefined {
  const span = message.params.get(path);
  return span && stringAt(line, span);
}
