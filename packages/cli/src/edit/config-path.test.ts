import { formatPath } from '@mcpmux/config';
import { expect, it } from 'vitest';

import { parseConfigPath } from './config-path.js';

it.each([
  ['mcpServers.a.env.TOKEN', ['mcpServers', 'a', 'env', 'TOKEN']],
  ['mcpServers["a.b"].args[0]', ['mcpServers', 'a.b', 'args', 0]],
  [String.raw`profiles["a \" b"]`, ['profiles', 'a " b']],
  ['mux.my-key', ['mux', 'my-key']],
])('%s is the path of a setting, as errors write it', (text, path) => {
  expect(parseConfigPath(text)).toEqual(path);
  expect(formatPath(path)).toBe(text);
});

it.each(['', '.a', 'a..b', 'a.', 'a[', 'a["b]', 'a b', 'a["\\x"]'])('%j is no path', (text) => {
  expect(parseConfigPath(text)).toBeUndefined();
});
