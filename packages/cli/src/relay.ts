import process from 'node:process';

import { runRelay } from './relay/run-relay.js';

// An entry of its own: a window loads no more than its relay needs.
void runRelay(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
