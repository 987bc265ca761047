/** A process that `tree` and `setsid-escapee` leave running. It connects to the lifeline, then sleeps until killed. */
import process from 'node:process';

import { connectLifeline } from './lifeline-client.js';
import { stayAlive } from './stay-alive.js';

connectLifeline(process.argv[2] ?? 'grandchild');
stayAlive();
