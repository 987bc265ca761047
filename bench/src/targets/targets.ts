import { ERA_TARGETS } from './era-targets.js';
import { mcpHub } from './mcp-hub.js';
import { mcpProxy } from './mcp-proxy.js';
import { SHARED_TARGETS } from './shared-targets.js';
import { bytePipe, direct, mcpmux, otherBuild, sdkV1Proxy, sdkV2Proxy } from './stdio-targets.js';
import type { Target, TargetName } from './target.js';

const OTHER_BUILD = 'mcpmux:';

const TARGETS: Readonly<Record<string, Target>> = {
  direct,
  'byte-pipe': bytePipe,
  mcpmux,
  'sdk-v1-proxy': sdkV1Proxy,
  'sdk-v2-proxy': sdkV2Proxy,
  'mcp-proxy': mcpProxy,
  'mcp-hub': mcpHub,
  ...ERA_TARGETS,
  ...SHARED_TARGETS,
};

/** The target of this name: `mcpmux:` stands before the folder of another build of the command. */
export function targetOf(name: TargetName): Target {
  const target = name.startsWith(OTHER_BUILD) ? otherBuild(name.slice(OTHER_BUILD.length)) : TARGETS[name];
  if (target === undefined) throw new Error(`there is no target ${name}`);
  return target;
}
