import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { cleanEnvironment, NODE } from './built-cli.js';

/** A server over HTTP, on a free port. */
export interface ProgramAtUrl extends AsyncDisposable {
  readonly url: string;
}

/** Starts a program that serves MCP over HTTP and sends its port to its parent. */
export async function programAtUrl(...args: readonly string[]): Promise<ProgramAtUrl> {
  const child = spawn(NODE, args, {
    env: cleanEnvironment({ PORT: '0' }),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
