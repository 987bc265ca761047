import { join } from 'node:path';

import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import { fixtureServer } from './fixture-server.js';
import { HttpCli } from './http-cli.js';
import { SharedWindows } from './shared-windows.js';

/** A mux, or one for each client, with servers that ask. */
export interface AskingPlace extends AsyncDisposable {
  /** A way to it for one more client. */
  transport(): Transport;
}

type Servers = Readonly<Record<string, object>>;

const SHARED = { mux: { shared: true } };
const SERVERS = {
  legacy: { ...fixtureServer('interactive'), ...SHARED },
  modern: { ...fixtureServer('modern-asking'), ...SHARED },
};

async function overStdio(servers: Servers, flags: readonly string[]): Promise<AskingPlace> {
  const shared = await SharedWindows.open(servers);
  const args = [CLI, 'serve', '--config', join(shared.folder, 'config.json'), ...flags];
  const env = cleanEnvironment(shared.environment);
  return {
    transport: () =>
      new StdioClientTransport({ command: NODE, args, env, cwd: shared.folder, stderr: 'inherit' }),
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

async function overHttp(servers: Servers): Promise<AskingPlace> {
  const shared = await SharedWindows.open(servers);
  const cli = await HttpCli.open({ args: ['--config', join(shared.folder, 'config.json')] });
  return {
    transport: () => new StreamableHTTPClientTransport(cli.url),
    async [Symbol.asyncDispose]() {
      await cli[Symbol.asyncDispose]();
      await shared[Symbol.asyncDispose]();
    },
  };
}

/** Where two clients can be: at one mux over HTTP, at one of their own over stdio, or at the shared process. */
export function askingPlaces(
  servers: Servers,
): readonly (readonly [name: string, open: () => Promise<AskingPlace>])[] {
  return [
    ['over HTTP without tokens', () => overHttp(servers)],
    ['over stdio', () => overStdio(servers, [])],
    ['at the shared process', () => overStdio(servers, ['--shared', '--shared-idle', '30'])],
  ];
}

/** The places with the servers `legacy` and `modern`. */
export const ASKING_PLACES = askingPlaces(SERVERS);
