import { expect, it } from 'vitest';

import { shortReason } from './short-reason.js';

it.each([
  [
    'Server "a" could not be started: command "nxp" was not found in PATH (2 folders). Install it.',
    'command "nxp" was not found in PATH.',
  ],
  [
    'Server "a" exited with code 1.\nIts stderr:\n  npm error code E404\n  npm error 404 Not Found\nLines of its stdout that are not MCP:\n  starting\nserver_logs shows more.',
    'exited with code 1: npm error 404 Not Found',
  ],
  [
    'Server "a" exited with code 1.\nIts stderr:\n  npm error code E404\n  npm error 404 Not Found - GET https://r.example/x\n  npm error A complete log of this run can be found in: /home/ann/.npm/_logs/x.log',
    'exited with code 1: npm error 404 Not Found - GET https://r.example/x',
  ],
  [
    'Server "a" exited with code 1.\n  Error: no token\n  at main (x.js:1)\n  Node.js v20',
    'exited with code 1: Error: no token',
  ],
  ['Server "a" was killed by signal SIGKILL.', 'was killed by signal SIGKILL.'],
  ['it crashed', 'it crashed'],
])('%j is said in one line', (problem, reason) => {
  expect(shortReason('a', problem)).toBe(reason);
});
