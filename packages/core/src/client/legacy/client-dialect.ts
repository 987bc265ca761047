import { INITIALIZE, INITIALIZED, paramsOf, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { notificationLine, resultLine } from '@mcpmux/wire';

import type { ClientDialect } from '../methods/client-dialect.js';
import { COMMON_HANDLERS } from '../methods/common-methods.js';
import type { Handler } from '../methods/handler.js';
import type { SubjectKind } from '../request/request-subject.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { subscribe, unsubscribe } from './subscription-requests.js';
import { forwardTaskRequest, listTasks } from './task-requests.js';
import { isProtocolLogLevel } from '../caller/log-level.js';
import { byUsage } from '../caller/by-usage.js';
import type { Exchange } from '../request/exchange.js';
import { clientProfileOf } from '../../server/dialect/client-profile.js';
import { initializeResultJson } from './initialize-result.js';

const IMMEDIATE_METHODS = [INITIALIZE, 'ping', SET_LEVEL];
const TASK_METHODS = ['tasks/get', 'tasks/result', 'tasks/cancel'];
const SUBSCRIPTION_METHODS = [SUBSCRIBE, UNSUBSCRIBE];

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
      ...TASK_METHODS.map((method) => [method, forwardTaskRequest] as const),
      ['tasks/list', listTasks],
    ]),
    immediateMethods: new Set(IMMEDIATE_METHODS),
    unguardedMethods: [INITIALIZE, 'ping'],
    subjectKinds: new Map<string, SubjectKind>([
      ...[...IMMEDIATE_METHODS, 'tasks/list'].map((method) => [method, 'nothing'] as const),
      ...SUBSCRIPTION_METHODS.map((method) => [method, 'resource'] as const),
      ...TASK_METHODS.map((method) => [method, 'task'] as const),
    ]),
    // Revision 2025-03-26 introduced batches, and the next revision removed them.
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
    rootsMethod: 'roots/list',
    concernsTask: isTaskMethod,
    elicit: (asked, form, signal) => asked.askOwn('elicitation/create', form, signal),
    urlVisitedLine: (elicitationId) =>
      notificationLine('notifications/elicitation/complete', { elicitationId }),
  };
}

/** Returns the handler for `initialize`. The handler does not wait for any server. */
export function initializeHandler(serverInfo: Implementation): Handler {
  return (exchange, { logger }) => {
    const { id, caller } = exchange;
    const params = paramsOf(exchange.line);
    const profile = clientProfileOf(params);
    caller.setProfile(profile);
    const { session, era } = caller;
    logger.log('info', 'client connected', { session, era, protocol_version: profile.protocolVersion });
    const visibleServers = caller.layer.list().filter(caller.view.sees);
    exchange.respond(
      resultLine(id, initializeResultJson(params, serverInfo, byUsage(visibleServers, caller))),
    );
  };
}

/** Answers `ping`. */
export function ping(exchange: Exchange): void {
  exchange.respond(resultLine(exchange.id, '{}'));
}

/** Answers `logging/setLevel`. */
export function setLevel(exchange: Exchange): void {
  const level = exchange.textAt('level')?.text;
  if (!isProtocolLogLevel(level))
    return exchange.rejectParams('params.level is not a log level of the MCP specification');
  exchange.caller.setLogLevel(level);
  exchange.respond(resultLine(exchange.id, '{}'));
}
