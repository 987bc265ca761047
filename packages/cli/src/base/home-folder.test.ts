import { expect, it } from 'vitest';

import { homeFolder } from './home-folder.js';

const none = (): never => {
  throw new Error('ENOENT: no such entry');
};

it.each([
  ['HOME', { homedir: () => '/home/ann', userInfo: none }, '/home/ann'],
  [
    "the system's list where HOME is empty",
    { homedir: () => '', userInfo: () => ({ homedir: '/u/ann' }) },
    '/u/ann',
  ],
  ['neither', { homedir: none, userInfo: none }, '/'],
  ['an empty HOME alone', { homedir: () => '', userInfo: none }, '/'],
])('the home folder is told by %s', (_, source, folder) => {
  expect(homeFolder(source)).toBe(folder);
});
