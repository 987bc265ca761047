import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Markup that would run and load; the shown text and the script both name the field. */
export function markup(field: string): string {
  return `<img src="//leak.example/${field}" onerror="window.ran='${field}'">`;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** A server of a registry that has markup in each of its texts. */
const ENTRY = {
  server: {
    name: markup('registry.name'),
    description: markup('registry.description'),
    version: markup('registry.version'),
    packages: [
      {
        registryType: 'npm',
        identifier: '@example/files',
        version: '1.0.0',
        environmentVariables: [
          {
            name: markup('registry.variable'),
            description: markup('registry.about'),
            default: markup('registry.default'),
          },
          { name: 'KEY', description: markup('registry.secret'), isSecret: true },
        ],
        packageArguments: [{ type: 'positional', value: markup('registry.argument') }],
      },
      { registryType: markup('registry.type'), identifier: markup('registry.identifier') },
    ],
    remotes: [{ type: 'streamable-http', url: `https://example.com/${markup('registry.url')}` }],
  },
  _meta: { [OFFICIAL]: { status: markup('registry.status'), statusMessage: markup('registry.message') } },
};

/** Another origin of this machine: a registry with hostile texts, and a page of the test. */
export class HostileWeb implements Disposable {
  /** The page at any path outside of the registry. */
  html = '';

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async open(): Promise<HostileWeb> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const web = new HostileWeb(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '' }, response) => {
      const { pathname } = new URL(url, web.origin);
      const list = { servers: [ENTRY], metadata: {} };
      if (pathname.startsWith('/v0.1/'))
        return response.end(JSON.stringify(pathname.endsWith('/servers') ? list : ENTRY));
      response.setHeader('content-type', 'text/html').end(web.html);
    });
    return web;
  }

  [Symbol.dispose](): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
