import { expect, it } from 'vitest';

import { parseAdminRequest } from './admin-methods.js';

it.each([
  ['events', {}],
  ['events', { after: 17, details: true }],
  ['reloadConfig', {}],
  ['approvals', {}],
  ['approvals', { answer: { id: 3, isAllowed: true, scope: 'session' } }],
  ['page', { isReadOnly: true, isOpened: false }],
  ['restart', { name: 'a "name"\n' }],
  ['remove', { name: '__proto__' }],
  ['handOver', {}],
])('mcpmux/%s takes %j', (method, params) => {
  expect(parseAdminRequest(`mcpmux/${method}`, params)).toEqual({ request: { method, params } });
});

it('a method without parameters needs none', () => {
  expect(parseAdminRequest('mcpmux/stop', undefined)).toEqual({ request: { method: 'stop', params: {} } });
});

it.each([
  { id: '3', isAllowed: true, scope: 'once' },
  { id: 3, isAllowed: true },
  { id: 3, isAllowed: 'yes', scope: 'once' },
  { id: 3, isAllowed: true, scope: 'ever' },
  null,
])('E12: %j is no answer to an approval', (answer) => {
  expect(parseAdminRequest('mcpmux/approvals', { answer })).toEqual({ problem: 'params' });
});

it.each([
  ['restart', {}],
  ['restart', { name: 1 }],
  ['page', {}],
  ['events', { after: '7' }],
])('mcpmux/%s does not take %j', (method, params) => {
  expect(parseAdminRequest(`mcpmux/${method}`, params)).toEqual({ problem: 'params' });
});

it.each(['formatDisk', '__proto__', 'toString', ''])('mcpmux/%s is no method', (method) => {
  expect(parseAdminRequest(`mcpmux/${method}`, {})).toEqual({ problem: 'method' });
});
