import { resultLine } from '@mcpmux/wire';
import { OVERVIEW_URI } from '../../catalog/own-tool.js';
import { APP_TYPE, takesApps } from '../../server/dialect/client-requests.js';
import type { Exchange } from '../request/exchange.js';
import type { MethodParts } from './handler.js';

/**
 * Answers a request for the page of mcpmux itself, of a client that shows such pages. To every other client a resource of
 * that name is one of a server.
 *
 * @returns undefined when the request is for something else
 */
export function readOwnApp(
  exchange: Exchange,
  { overviewApp }: Pick<MethodParts, 'overviewApp'>,
): Promise<void> | undefined {
  const { profile } = exchange.caller;
  if (overviewApp === undefined || exchange.text('uri')?.text !== OVERVIEW_URI) return undefined;
  if (!takesApps(profile?.capabilities ?? {})) return undefined;
  return answer(exchange, overviewApp);
}

async function answer(exchange: Exchange, overviewApp: () => Promise<string>): Promise<void> {
  const text = await overviewApp();
  const content = { uri: OVERVIEW_URI, mimeType: APP_TYPE, text, _meta: { ui: { prefersBorder: true } } };
  exchange.respond(resultLine(exchange.id, JSON.stringify({ contents: [content] })));
}
