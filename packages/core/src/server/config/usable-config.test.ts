import { expect, it } from 'vitest';

import { configProblem } from './usable-config.js';

it.each([
  ['x', 'the configuration must be an object.'],
  [{ command: '' }, '"command" must be a string that is not empty.'],
  [{ command: 'x', args: '-y x' }, '"args" must be an array of strings.'],
  [{ command: 'x', env: { A: 1 } }, '"env" must be an object whose values are strings.'],
  [{ command: 'x', cwd: 1 }, '"cwd" must be a string.'],
  [{ url: 1 }, '"url" must be a string.'],
  [
    { url: 'https://example.com', headers: { A: 1 } },
    '"headers" must be an object whose values are strings.',
  ],
])('a configuration with a value of another type is refused in the words of JSON: %j', (config, problem) => {
  expect(configProblem(config)).toBe(problem);
});
