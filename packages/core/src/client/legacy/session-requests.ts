import { paramsOf } from '@mcpmux/kit';
import { resultLine } from '@mcpmux/wire';
import { isProtocolLogLevel } from '../caller/log-level.js';
import { byUse } from '../caller/by-use.js';
import type { Exchange } from '../request/exchange.js';
import type { Handler } from '../methods/handler.js';
import { clientProfileOf } from '../../server/dialect/client-profile.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { initializeResultJson } from './initialize-result.js';

/** The handler of `initialize`. It waits for no server. */
export function initializeHandler(serverInfo: Implementation): Handler {
  return (exchange, { logger }) => {
    const { id, caller } = exchange;
    const params = paramsOf(exchange.line);
    const profile = clientProfileOf(params);
    caller.introduce(profile);
    const { session, era } = caller;
    logger.log('info', 'client connected', { session, era, protocol_version: profile.protocolVersion });
    const seen = caller.layer.list().filter(caller.view.sees);
    exchange.respond(resultLine(id, initializeResultJson(params, serverInfo, byUse(seen, caller))));
  };
}

/** Answers `ping`. */
export function ping(exchange: Exchange): void {
  exchange.respond(resultLine(exchange.id, '{}'));
}

/** Answers `logging/setLevel`. */
export function setLevel(exchange: Exchange): void {
  const level = exchange.text('level')?.text;
  if (!isProtocolLogLevel(level))
    return exchange.refuseParams('params.level is not a log level of the MCP specification');
  exchange.caller.wantsLogs(level);
  exchange.respond(resultLine(exchange.id, '{}'));
}
