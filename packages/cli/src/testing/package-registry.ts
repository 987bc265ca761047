import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { writeNodeProgram } from '@mcpmux/testing/node-program';

/** Stands in for `npx -y PACKAGE`: a server, whose tools are those of the version. */
const SERVER = (tools: object): string => `
const TOOLS = ${JSON.stringify(tools)};
const version = /@([^@]*)$/.exec(process.argv[3])?.[1] ?? 'latest';
const tools = TOOLS[version];
if (tools === undefined) { console.error('no version ' + version); process.exit(1); }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const initialized = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version } };
  const result = method === 'initialize' ? initialized : method === 'tools/list' ? { tools } : undefined;
  const outcome = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
});`;

/** An npm registry on this machine with one package, and a stand-in for `npx` that runs its versions. */
export class PackageRegistry implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    /** The version that the tag `latest` names. */
    public latest: string,
  ) {}

  /** @param tools the tools of the package `files`, by version */
  static async open(folder: string, latest: string, tools: object): Promise<PackageRegistry> {
    writeNodeProgram(folder, 'npx', SERVER(tools));
    const server = createServer(({ url }, response) => {
      const versions = { [opened.latest]: { name: 'files', version: opened.latest } };
      const body = { name: 'files', 'dist-tags': { latest: opened.latest }, versions };
      if (url === '/files') response.end(JSON.stringify(body));
      else response.writeHead(404).end('{}');
    }).listen(0, '127.0.0.1');
    const opened = new PackageRegistry(server, folder, latest);
    await once(server, 'listening');
    return opened;
  }

  /** The variables by which npm and `npx` find this registry. */
  get environment(): Readonly<Record<string, string>> {
    return {
      PATH: [this.folder, process.env['PATH'] ?? ''].join(delimiter),
      npm_config_registry: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      npm_config_cache: join(this.folder, 'cache'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
