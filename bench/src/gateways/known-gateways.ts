import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nodeCommand } from '../managed-process.js';
import { packageFolder, programPath } from '../program-path.js';
import { mcpmuxCommand } from '../targets/stdio-targets.js';
import type { GatewaySpec } from './gateway-spec.js';

/** The floor of each ratio: it copies bytes in both directions. */
export const FLOOR = 'byte-pipe';

const OVER_HTTP = ['--add-policy', 'allow', '--no-socket', '--log-level', 'error'];

/** The gateways of each run: the floor, mcpmux in its three forms, and the least proxies with the SDKs. */
export function knownGateways(): readonly GatewaySpec[] {
  const { version } = manifestOf('.');
  const { devDependencies } = manifestOf('../../bench');
  const [v1, v2] = ['sdk', 'client'].map((name) => devDependencies[`@modelcontextprotocol/${name}`]);
  return [
    program(FLOOR, undefined, nodeWords('byte-pipe', '{server}')),
    program('mcpmux', version, muxWords('serve', '--config', '{config}')),
    program('mcpmux --shared', version, muxWords('serve', '--shared', '--config', '{config:mcpmux}')),
    {
      name: 'mcpmux --http',
      version,
      words: muxWords('serve', '--http', '{port}', ...OVER_HTTP, '--config', '{config}'),
      url: 'http://127.0.0.1:{port}/mcp',
    },
    program('SDK v1 proxy', v1, nodeWords('sdk-v1-proxy', '{server}')),
    program('SDK v2 proxy', v2, nodeWords('sdk-v2-proxy', '{server}')),
  ];
}

function program(name: string, version: string | undefined, words: readonly string[]): GatewaySpec {
  return { name, version, words, url: undefined };
}

function nodeWords(name: string, ...args: readonly string[]): readonly string[] {
  const { command, args: words } = nodeCommand(programPath(name), ...args);
  return [command, ...words];
}

function muxWords(...args: readonly string[]): readonly string[] {
  const { command, args: words } = mcpmuxCommand(...args);
  return [command, ...words];
}

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(
    readFileSync(join(packageFolder('@mcpmux/cli'), folder, 'package.json'), 'utf8'),
  ) as Manifest;
}
