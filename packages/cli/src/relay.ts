import process from 'node:process';

import { runRelay } from './window/run-relay.js';

// A separate entry point, so that a window loads only the code that its relay needs.
void runRelay(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
