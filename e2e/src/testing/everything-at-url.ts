import { installedServer } from './built-cli.js';
import { type ProgramAtUrl, programAtUrl } from './program-at-url.js';

/** Tells on which port a server listens that was told to take a free one, and prints what it was told. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const listen = Server.prototype.listen;
  Server.prototype.listen = function (...args) {
    this.once('listening', () => process.send(this.address().port));
    return listen.apply(this, args);
  };
`)}`;

/** Starts server-everything over one of its HTTP transports. */
export async function everythingAtUrl(transport: 'streamableHttp' | 'sse'): Promise<ProgramAtUrl> {
  const program = installedServer('@modelcontextprotocol/server-everything');
  const server = await programAtUrl('--import', TELL_PORT, program, transport);
  return transport === 'sse' ? { ...server, url: server.url.replace(/mcp$/, 'sse') } : server;
}
