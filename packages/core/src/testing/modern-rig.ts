import type { ModernRemote } from '@mcpmux/test-servers/modern-remote';

import { MuxRig } from './mux-rig.js';

/** A tool that wants parameters as headers. */
export const REGION = {
  name: 'region',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      priority: { type: 'integer', 'x-mcp-header': 'Priority' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      query: { type: 'string' },
    },
  },
};

/** A mux that tries servers in the modern era first, with this one as `far`. */
export async function modernRig(server: ModernRemote): Promise<MuxRig> {
  const rig = await MuxRig.open({ firstEra: 'modern' });
  await rig.mux.addServer('far', { url: server.url });
  return rig;
}
