import { installPackages, peerFolder } from '../gateways/install-peer.js';
import { nodeCommand, type CommandLine } from '../managed-process.js';
import type { PayloadName } from '../payload.js';
import { programPath } from '../program-path.js';
import { SERVER_NAME } from '../targets/stdio-targets.js';

/** A server with the echo tool in its own process, built with a framework; `embedded` has mcpmux in front of it there. */
export type FrameworkName = 'embedded' | 'sdk-v2' | 'tmcp' | 'mcp-use';

interface Framework {
  readonly program: string;
  /** From npm: the versions that were read about and measured. */
  readonly packages: readonly string[];
  readonly tool: string;
}

const ZOD = 'zod@4.6.7';
const SDK = ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2', ZOD];

const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = {
  embedded: { program: 'mcpmux-server', packages: SDK, tool: `${SERVER_NAME}__echo` },
  'sdk-v2': { program: 'sdk-v2-http-server', packages: SDK, tool: 'echo' },
  tmcp: {
    program: 'tmcp-server',
    packages: ['tmcp@1.20.0', '@tmcp/transport-http@0.9.0', '@tmcp/adapter-zod@0.1.7', 'srvx@1.0.8', ZOD],
    tool: 'echo',
  },
  'mcp-use': { program: 'mcp-use-server', packages: ['mcp-use@2.5.2', ZOD], tool: 'echo' },
};

/** Node.js needs it for packages in a folder that is named at run time. */
export const RESOLVE_FLAG = '--experimental-import-meta-resolve';

/** True if the text names a framework. */
export function isFramework(name: string): name is FrameworkName {
  return Object.hasOwn(FRAMEWORKS, name);
}

/** Installs a framework if it is not there. Returns how to run its server, and the name of the echo tool there. */
export async function frameworkServer(
  name: FrameworkName,
  port: number,
  payload: PayloadName,
): Promise<CommandLine & { readonly tool: string }> {
  const { program, packages, tool } = FRAMEWORKS[name];
  const folder = await peerFolder('npm', packages.join('+'));
  await installPackages(packages, folder);
  return { ...nodeCommand(RESOLVE_FLAG, programPath(program), folder, String(port), payload), tool };
}
