import { withApiLists } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

import * as index from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(index).toSorted()).toEqual([
    'ANYBODY',
    'DEFAULT_LIMITS',
    'GuardRefusal',
    'HOST',
    'INSTANCE_HEADER',
    'LIST_KINDS',
    'LOCAL',
    'LocalClient',
    'MuxError',
    'NamespaceError',
    'OWN_SERVER',
    'RUN_CODE',
    'Redactor',
    'broughtLogin',
    'configProblem',
    'contentBlocks',
    'createMux',
    'errorCodeOf',
    'escapeControls',
    'explainingLine',
    'findProgram',
    'guarded',
    'isRecord',
    'isSecretName',
    'isStreams',
    'listedDefinitions',
    'logIn',
    'maskArgs',
    'messageOf',
    'nullLogger',
    'parsedJson',
    'resultAnswer',
    'spawnProcess',
    'systemClock',
  ]);
});

it('the README lists every export and member, and no other name', async () => {
  const readme = new URL('../README.md', import.meta.url);
  await expect(withApiLists(readme)).toMatchFileSnapshot('../README.md'); // `vitest run -u` writes it
});
