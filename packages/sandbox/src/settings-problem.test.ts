import { expect, it } from 'vitest';

import { settingsProblem } from './settings-problem.js';

it.each([
  [{}, undefined],
  [{ network: true, filesystem: { allowWrite: ['./x'] } }, undefined],
  [{ network: { allowedDomains: ['a.com'], deniedDomains: [] } }, undefined],
  [true, 'must be an object'],
  [null, 'must be an object'],
  [[], 'must be an object'],
  [{ netwrk: true }, 'has no setting "netwrk"'],
  [{ network: 'all' }, 'has a "network" that is not an object'],
  [{ network: { domains: [] } }, 'has no setting "network.domains"'],
  [{ filesystem: [] }, 'has a "filesystem" that is not an object'],
  [{ filesystem: { allowWrite: '/x' } }, 'has a "filesystem.allowWrite" that is not a list of texts'],
  [{ filesystem: { allowWrite: [''] } }, 'has a "filesystem.allowWrite" that is not a list of texts'],
  [{ filesystem: { denyRead: ['~/*.pem'] } }, 'has a "*" in "filesystem.denyRead"'],
  [{ filesystem: { denyWrite: ['./src/**'] } }, 'has a "*" in "filesystem.denyWrite"'],
])('the problem of %j', (value, problem) => {
  const found = settingsProblem(value);
  expect(problem === undefined ? found : found?.startsWith(problem)).toBe(
    problem === undefined ? undefined : true,
  );
});
