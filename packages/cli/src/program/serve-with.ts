import type { HttpAddress } from '../serve/http-options.js';
import { serve } from '../serve/serve.js';
import { serveAsWindow, serveClient } from './serve-client.js';
import { serveOptions, type ServeFlags } from './serve-flags.js';

/** Serves clients according to the flags of `mcpmux serve`. Returns the exit code. */
export async function serveWith(flags: ServeFlags, args: readonly string[]): Promise<number> {
  if (flags.sharedSocket !== undefined) return serveWindows(flags, flags.sharedSocket);
  if (flags.http !== undefined) return serveHttp(flags, flags.http);
  return flags.shared === true ? serveAsWindow(args) : serveClient(serveOptions(flags), args);
}

async function serveHttp(flags: ServeFlags, address: HttpAddress): Promise<number> {
  const { httpFrontendFor } = await import('../serve/http-frontend.js');
  // By default, agents cannot add servers: unlike a client over stdio, a client over HTTP may lack permission to run
  // programs. Clients of both eras share the servers, so mcpmux tries the modern era first.
  const options = {
    ...serveOptions({ addPolicy: 'deny', ...flags }),
    firstEra: 'modern',
    clustered: flags,
  } as const;
  return serve(options, httpFrontendFor(address, flags));
}

async function serveWindows(flags: ServeFlags, socket: string): Promise<number> {
  const { serveShared } = await import('../shared/serve-shared.js');
  const { sharedIdle: seconds } = flags;
  const idle = { ms: (seconds ?? SHARED_IDLE_SECONDS) * 1000, isChosen: seconds !== undefined };
  return serveShared(serveOptions(flags), { socket, idle });
}

const SHARED_IDLE_SECONDS = 600;
