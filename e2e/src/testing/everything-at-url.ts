import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { cleanEnvironment, installedServer, NODE } from './built-cli.js';

/** Tells on which port a server listens that was told to take a free one, and prints what it was told. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const listen = Server.prototype.listen;
  Server.prototype.listen = function (...args) {
    this.once('listening', () => process.send(this.address().port));
    return listen.apply(this, args);
  };
`)}`;

/** The official server-everything over HTTP, on a free port. */
export interface EverythingAtUrl extends AsyncDisposable {
  readonly url: string;
}

/** Starts server-everything over one of its HTTP transports. */
export async function everythingAtUrl(transport: 'streamableHttp' | 'sse'): Promise<EverythingAtUrl> {
  const program = installedServer('@modelcontextprotocol/server-everything');
  const child = spawn(NODE, ['--import', TELL_PORT, program, transport], {
    env: cleanEnvironment({ PORT: '0' }),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
