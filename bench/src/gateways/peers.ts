import type { Progress } from '../forwarding/run-forwarding.js';
import type { GatewayOptions, LeftOut } from './gateway-report.js';
import { httpGateway, stdioGateway, type GatewaySpec } from './gateway-spec.js';
import { install, peerFolder, type Source } from './install-peer.js';

/** A gateway of another author. */
interface Peer {
  readonly name: string;
  readonly source: Source;
  /** After the program itself: its arguments, with the placeholders of a command. */
  readonly args: string;
  /** True if it listens at `http://127.0.0.1:{port}/mcp`. */
  readonly isHttp?: boolean;
}

/** The peers, with the versions that were read about and measured. */
const PEERS: readonly Peer[] = [
  {
    name: 'Go mcpmux',
    source: {
      from: 'go',
      package: 'github.com/google/agent-shell-tools/mcpmux',
      version: 'latest',
      program: 'mcpmux',
    },
    args: '',
  },
  {
    name: '1MCP',
    source: { from: 'npm', package: '@1mcp/agent', version: '0.35.0', program: '1mcp' },
    args: 'serve --port {port} --config {config}',
    isHttp: true,
  },
  {
    name: 'FastMCP',
    source: { from: 'pypi', package: 'fastmcp', version: '3.4.11', program: 'fastmcp' },
    args: 'run --no-banner --log-level ERROR {config}',
  },
  {
    name: 'magg',
    source: { from: 'pypi', package: 'magg', version: '1.3.0', program: 'magg' },
    args: '--config {config:magg} serve',
  },
  {
    name: 'mcp-proxy (PyPI)',
    source: { from: 'pypi', package: 'mcp-proxy', version: '0.13.0', program: 'mcp-proxy' },
    args: '--port {port} -- {server}',
    isHttp: true,
  },
  {
    name: 'mcp-proxy (npm)',
    source: { from: 'npm', package: 'mcp-proxy', version: '6.7.19', program: 'mcp-proxy' },
    // the event store would keep the last thousand answers: a gigabyte of the largest
    args: '--host 127.0.0.1 --port {port} --server stream --no-eventStore -- {server}',
    isHttp: true,
  },
  {
    name: 'supergateway',
    source: { from: 'npm', package: 'supergateway', version: '4.0.0', program: 'supergateway' },
    args: '--outputTransport streamableHttp --stateful --logLevel none --port {port} --stdio {server-line}',
    isHttp: true,
  },
];

/** The gateways of other authors that can be installed, without those that the command line has itself. */
export async function installPeers(
  { gateways }: GatewayOptions,
  progress: Progress,
): Promise<{ readonly peers: readonly GatewaySpec[]; readonly leftOut: readonly LeftOut[] }> {
  const leftOut: LeftOut[] = [];
  const peers: GatewaySpec[] = [];
  for (const peer of PEERS.filter(({ name }) => !gateways.some((own) => own.name === name))) {
    progress(`installs ${peer.source.package} ${peer.source.version}`);
    try {
      peers.push(specOf(peer, await installed(peer)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      leftOut.push({ gateway: peer.name, scenario: 'install', reason });
      progress(`left out: ${peer.name}: ${reason}`);
    }
  }
  return { peers, leftOut };
}

async function installed({ source }: Peer): Promise<string> {
  const { from, package: name, version } = source;
  return install(source, await peerFolder(from, `${name}-${version}`));
}

function specOf({ name, source, args, isHttp = false }: Peer, program: string): GatewaySpec {
  const head = `${name}@${source.version}`;
  const command = `"${program}" ${args}`;
  return isHttp
    ? httpGateway(`${head}=http://127.0.0.1:{port}/mcp ${command}`)
    : stdioGateway(`${head}=${command}`);
}
