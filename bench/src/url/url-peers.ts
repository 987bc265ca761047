import { guarded } from '../guarded.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { ManagedProcess, nodeCommand, stoppedBySignal } from '../managed-process.js';
import type { PayloadName } from '../payload.js';
import { programPath } from '../program-path.js';
import { accepts, freePort, untilReady } from '../targets/http-peer.js';
import { MCPMUX_COMMAND, SERVER_NAME } from '../targets/stdio-targets.js';
import { running, type RunningTarget } from '../targets/target.js';

/** How the server answers: with a body, or with an event of a stream. */
export type AnswerKind = 'body' | 'stream';

/** The server at a url that all calls go to. */
export async function startUrlServer(
  payload: PayloadName,
  kind: AnswerKind,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const port = await freePort();
  const flags = kind === 'stream' ? ['--stream'] : [];
  const process = new ManagedProcess(nodeCommand(programPath('url-server'), String(port), payload, ...flags));
  process.child.stdout.resume();
  const stop = stoppedBySignal(process);
  await guarded(stop, () => untilReady(process, () => accepts(port)));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose](),
  };
}

/** The floor: from stdio to `node:http` with connections that are kept, and nothing else. */
export function startUrlRelay(url: string): Promise<RunningTarget> {
  const process = new ManagedProcess(nodeCommand(programPath('url-relay'), url));
  return running(new StdioConnection(process), { tool: 'echo', pid: process.pid });
}

/** mcpmux as built, the server added by `add_server`. */
export async function startUrlMux(url: string): Promise<RunningTarget> {
  const process = new ManagedProcess(MCPMUX_COMMAND);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(new StdioConnection(process), { tool, pid: process.pid });
  await guarded(target, () => target.client.callTool('add_server', { name: SERVER_NAME, url }));
  return target;
}
