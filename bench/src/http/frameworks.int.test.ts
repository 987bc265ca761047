import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import type { ClientEra } from '../load/modern-headers.js';
import { nodeCommand } from '../managed-process.js';
import { packageFolder } from '../program-path.js';
import { freePort } from '../targets/http-peer.js';
import { ClientCrowd } from './client-crowd.js';
import { RESOLVE_FLAG } from './frameworks.js';
import { listening } from './http-front.js';

const PROGRAM = fileURLToPath(new URL('../../dist/programs/mcpmux-server.js', import.meta.url));
/** It has the packages of the SDK; those of the frameworks come from the network. */
const EXAMPLES = join(packageFolder('@mcpmux/cli'), '../../examples');

it.runIf(process.platform === 'linux').each<ClientEra>(['legacy', 'modern'])(
  'a server in the process of mcpmux gives %s clients the answers of the echo server',
  async (era) => {
    const port = await freePort();
    const command = nodeCommand(RESOLVE_FLAG, PROGRAM, EXAMPLES, String(port), 'structured');
    await using front = { ...(await listening('embedded', command, port)), tool: 'e__echo' };
    const crowd = await ClientCrowd.open(front, { payload: 'structured', era, clients: 2 });
    const { calls, cpuMicrosPerCall } = await crowd.load({ sessions: 2, inFlight: 2, windowMs: 1 });
    expect(calls).toBeGreaterThanOrEqual(4);
    expect(cpuMicrosPerCall).toBeGreaterThan(0);
    await crowd.leave();
  },
);
