import type { ClientDialect } from '../methods/client-dialect.js';
import { COMMON_HANDLERS } from '../methods/common-methods.js';
import type { Handler } from '../methods/handler.js';
import type { SubjectKind } from '../request/request-subject.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { initializeHandler, ping, setLevel } from './session-requests.js';
import { subscribe, unsubscribe } from './subscription-requests.js';
import { forwardToTask, listTasks } from './task-requests.js';

const INSTANT = ['initialize', 'ping', 'logging/setLevel'];
const TASKS = ['tasks/get', 'tasks/result', 'tasks/cancel'];
const SUBSCRIPTIONS = ['resources/subscribe', 'resources/unsubscribe'];

/** The dialect of clients up to the 2025-11-25 revision, to which mcpmux is `serverInfo`. */
export function legacyClientDialect(serverInfo: Implementation): ClientDialect {
  return {
    era: 'legacy',
    openedBy: 'initialize',
    handlers: new Map<string, Handler>([
      ...COMMON_HANDLERS,
      ['initialize', initializeHandler(serverInfo)],
      ['ping', ping],
      ['logging/setLevel', setLevel],
      ['resources/subscribe', subscribe],
      ['resources/unsubscribe', unsubscribe],
      ...TASKS.map((method) => [method, forwardToTask] as const),
      ['tasks/list', listTasks],
    ]),
    instant: new Set(INSTANT),
    unguarded: ['initialize', 'ping'],
    subjects: new Map<string, SubjectKind>([
      ...[...INSTANT, 'tasks/list'].map((method) => [method, 'nothing'] as const),
      ...SUBSCRIPTIONS.map((method) => [method, 'resource'] as const),
      ...TASKS.map((method) => [method, 'task'] as const),
    ]),
    // Batches came with this revision and were removed by the next.
    batchingRevision: '2025-03-26',
    notifications: new Map([
      ['notifications/initialized', 'opened'],
      ['notifications/roots/list_changed', 'roots-changed'],
    ]),
    owned: new Map([
      ['notifications/elicitation/complete', 'elicitation'],
      ['notifications/tasks/status', 'task'],
      ['notifications/tasks', 'watched-task'],
    ]),
    rootsRequest: 'roots/list',
    asksAboutTask: isTaskMethod,
    elicit: (asked, form, signal) => asked.askOwn('elicitation/create', form, signal),
  };
}
