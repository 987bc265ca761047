// mcpmux embedded, with limits that a catalog of a hundred servers or ten thousand tools does not reach.
import process from 'node:process';

import { createMux } from '@mcpmux/core';

const mux = createMux({ limits: { maxServers: 256, maxToolsPerServer: 20_000 } });
const session = mux.connect({ input: process.stdin, output: process.stdout });
await session.closed;
await mux.close();
