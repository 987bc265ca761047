import { INITIALIZE, INITIALIZED, paramsOf, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { notificationLine, resultLine } from '@mcpmux/wire';

import type { ClientDialect } from '../methods/client-dialect.js';
import { COMMON_HANDLERS } from '../methods/common-methods.js';
import type { Handler } from '../methods/handler.js';
import type { SubjectKind } from '../request/request-subject.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { subscribe, unsubscribe } from './subscription-requests.js';
import { forwardToTask, listTasks } from './task-requests.js';
import { isProtocolLogLevel } from '../caller/log-level.js';
import { byUsage } from '../caller/by-usage.js';
import type { Exchange } from '../request/exchange.js';
import { clientProfileOf } from '../../server/dialect/client-profile.js';
import { initializeResultJson } from './initialize-result.js';

const INSTANT = [INITIALIZE, 'ping', SET_LEVEL];
const TASKS = ['tasks/get', 'tasks/result', 'tasks/cancel'];
const SUBSCRIPTIONS = [SUBSCRIBE, UNSUBSCRIBE];

/** Returns the dialect of clients up to the 2025-11-25 revision. `serverInfo` describes mcpmux. */
export function legacyClientDialect(serverInfo: Implementation): ClientDialect {
  return {
    era: 'legacy',
    openingMethod: INITIALIZE,
    handlers: new Map<string, Handler>([
      ...COMMON_HANDLERS,
      [INITIALIZE, initializeHandler(serverInfo)],
      ['ping', ping],
      [SET_LEVEL, setLevel],
      [SUBSCRIBE, subscribe],
      [UNSUBSCRIBE, unsubscribe],
      ...TASKS.map((method) => [method, forwardToTask] as const),
      ['tasks/list', listTasks],
    ]),
    immediate: new Set(INSTANT),
    unguarded: [INITIALIZE, 'ping'],
    subjects: new Map<string, SubjectKind>([
      ...[...INSTANT, 'tasks/list'].map((method) => [method, 'nothing'] as const),
      ...SUBSCRIPTIONS.map((method) => [method, 'resource'] as const),
      ...TASKS.map((method) => [method, 'task'] as const),
    ]),
    // The revision 2025-03-26 introduced batches, and the next revision removed them.
    batchingRevision: '2025-03-26',
    notifications: new Map([
      [INITIALIZED, 'opened'],
      ['notifications/roots/list_changed', 'roots-changed'],
    ]),
    ownedNotifications: new Map([
      ['notifications/elicitation/complete', 'elicitation'],
      ['notifications/tasks/status', 'task'],
      ['notifications/tasks', 'watched-task'],
    ]),
    rootsRequest: 'roots/list',
    concernsTask: isTaskMethod,
    elicit: (asked, form, signal) => asked.askOwn('elicitation/create', form, signal),
    urlVisited: (elicitationId) => notificationLine('notifications/elicitation/complete', { elicitationId }),
  };
}

/** Returns the handler of `initialize`. The handler does not wait for any server. */
export function initializeHandler(serverInfo: Implementation): Handler {
  return (exchange, { logger }) => {
    const { id, caller } = exchange;
    const params = paramsOf(exchange.line);
    const profile = clientProfileOf(params);
    caller.setProfile(profile);
    const { session, era } = caller;
    logger.log('info', 'client connected', { session, era, protocol_version: profile.protocolVersion });
    const seen = caller.layer.list().filter(caller.view.sees);
    exchange.respond(resultLine(id, initializeResultJson(params, serverInfo, byUsage(seen, caller))));
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
  exchange.caller.setLogLevel(level);
  exchange.respond(resultLine(exchange.id, '{}'));
}
