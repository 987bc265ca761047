import { resultLine } from '@mcpmux/wire';
import { paramsOf } from '../../base/params.js';
import { isProtocolLogLevel } from '../caller/log-level.js';
import type { Exchange } from '../request/exchange.js';
import { invalidParams } from '../request/invalid-params.js';
import type { MethodParts } from './handler.js';

/** Answers `initialize`. It waits for no server. */
export function initialize(exchange: Exchange, { initializeResult }: MethodParts): void {
  const { id, caller } = exchange;
  const params = paramsOf(exchange.line);
  caller.introduce(params);
  const seen = caller.layer.list().filter(caller.view.sees);
  exchange.respond(resultLine(id, initializeResult(params, seen)));
}

/** Answers `ping`. */
export function ping(exchange: Exchange): void {
  exchange.respond(resultLine(exchange.id, '{}'));
}

/** Answers `logging/setLevel`. */
export function setLevel(exchange: Exchange): void {
  const level = exchange.text('level')?.text;
  if (!isProtocolLogLevel(level))
    return invalidParams(exchange, 'params.level is no level of the specification');
  exchange.caller.wantsLogs(level);
  exchange.respond(resultLine(exchange.id, '{}'));
}
