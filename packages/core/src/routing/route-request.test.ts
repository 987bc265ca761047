import { describe, expect, it } from 'vitest';

import { isCancellation, routeRequest } from './route-request.js';

describe('a request of a client', () => {
  it.each([
    ['initialize', 'initialize'],
    ['ping', 'ping'],
    ['tools/list', 'list-tools'],
    ['tools/call', 'call-tool'],
    ['tools/Call', 'unknown-method'],
    ['prompts/list', 'unknown-method'],
    ['notifications/cancelled', 'unknown-method'],
    ['constructor', 'unknown-method'],
    ['__proto__', 'unknown-method'],
    ['', 'unknown-method'],
  ])('goes by its method: %j is %s', (method, route) => {
    expect(routeRequest(method)).toBe(route);
  });
});

describe('a notification of a client', () => {
  it('concerns requests in flight only when it is notifications/cancelled', () => {
    expect(isCancellation('notifications/cancelled')).toBe(true);
    expect(isCancellation('notifications/initialized')).toBe(false);
    expect(isCancellation('cancelled')).toBe(false);
  });
});
