import { mcpHub } from './mcp-hub.js';
import { mcpProxy } from './mcp-proxy.js';
import { bytePipe, direct, mcpmux, sdkV1Proxy, sdkV2Proxy } from './stdio-targets.js';
import type { Target, TargetName } from './target.js';

/** Everything that is measured, by name. */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  direct,
  'byte-pipe': bytePipe,
  mcpmux,
  'sdk-v1-proxy': sdkV1Proxy,
  'sdk-v2-proxy': sdkV2Proxy,
  'mcp-proxy': mcpProxy,
  'mcp-hub': mcpHub,
};
