import { describe, expect, it } from 'vitest';

import { routeRequest } from './route-request.js';

describe('a request of a client', () => {
  it.each([
    ['initialize', 'initialize'],
    ['ping', 'ping'],
    ['tools/call', 'call-tool'],
    ['prompts/get', 'get-prompt'],
    ['resources/read', 'read-resource'],
    ['resources/subscribe', 'subscribe'],
    ['resources/unsubscribe', 'unsubscribe'],
    ['completion/complete', 'complete'],
    ['logging/setLevel', 'set-level'],
    ['tasks/get', 'task'],
    ['tasks/result', 'task'],
    ['tasks/cancel', 'task'],
    ['tasks/list', 'list-tasks'],
    ['tools/Call', 'other'],
    ['notifications/cancelled', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
    ['', 'other'],
  ])('goes by its method: %j is %s', (method, kind) => {
    expect(routeRequest(method)).toEqual({ kind });
  });

  it.each([
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ])('for a list says which: %s', (method, list) => {
    expect(routeRequest(method)).toEqual({ kind: 'list', list });
  });
});
