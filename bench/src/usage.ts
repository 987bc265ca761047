import { SCENARIOS } from './gateways/gateway-report.js';
import { PAYLOAD_NAMES } from './payload.js';
import type { EraTargetName, SharedTargetName, TargetName } from './targets/target.js';

/** The parts of a run. */
export type Section =
  | 'forwarding'
  | 'start-up'
  | 'install'
  | 'scale'
  | 'oversized'
  | 'http'
  | 'urls'
  | 'shared'
  | 'gateways'
  | 'search';

/** The parts that run when none is chosen, in the order they run. */
export const SECTIONS: readonly Section[] = ['forwarding', 'start-up', 'install', 'scale', 'oversized'];

/** The parts that run only when they are chosen. */
export const CHOSEN_SECTIONS: readonly Section[] = ['http', 'urls', 'shared', 'gateways', 'search'];

/** All targets, in the order they are shown. */
export const TARGET_NAMES: readonly TargetName[] = [
  'direct',
  'byte-pipe',
  'mcpmux',
  'sdk-v1-proxy',
  'sdk-v2-proxy',
  'mcp-proxy',
  'mcp-hub',
];

/** The targets that run only when they are chosen: the modern era, and each bridge between the eras. */
export const ERA_TARGET_NAMES: readonly EraTargetName[] = [
  'modern-byte-pipe',
  'modern-on-modern',
  'modern-on-legacy',
  'legacy-on-modern',
];

/** The targets that run only when they are chosen: one process for all windows, and its least possible cost. */
export const SHARED_TARGET_NAMES: readonly SharedTargetName[] = ['shared', 'bare-relay', 'two-byte-pipes'];

/** The text of `--help`. */
export const USAGE = `usage: npm run bench -- [options]

  --smoke             every measurement once and short: shows that all works, not how fast
  --sections LIST     of ${SECTIONS.join(', ')}; or http: many clients over HTTP;
                      or urls: a server at a url; or shared: one process for all windows;
                      or gateways: mcpmux beside gateways of any author; or search: what search_tools finds
  --target NAME=COMMAND  a gateway on stdio, for the section gateways; repeatable. In COMMAND stand
                      {config} for a file with mcpServers, or {server} for one server as words, or
                      {server-line} as one word; without them the gateway must have add_server
  --url NAME=URL COMMAND  the same over HTTP: {port} in both is a free port
  --peers             installs the gateways of bench/src/gateways/peers.ts and compares them too
  --scenarios LIST    of the section gateways: ${SCENARIOS.join(', ')}
  --sessions N        of the section http (default: 200)
  --fronts LIST       of the same, to be compared with the relay: mcpmux, mcp-proxy, mcpmux:FOLDER; or
                      servers with the tool in their process: embedded (mcpmux), sdk-v2, tmcp, mcp-use
  --era LIST          of the same: legacy (each client has a session) and modern (default: both)
  --targets LIST      of ${TARGET_NAMES.join(', ')},
                      of ${ERA_TARGET_NAMES.join(', ')},
                      of ${SHARED_TARGET_NAMES.join(', ')},
                      or mcpmux:FOLDER: another build of the command, in the folder of its package
  --payloads LIST     of ${PAYLOAD_NAMES.join(', ')}
  --in-flight LIST    calls in flight (default: 1,32,256)
  --rounds N          how often each load runs, of targets no goal is about half as often (default: 9)
  --window MS         how long each load goes on (default: 300)
  --id-first          the echo server puts \`id\` before \`result\`
  --json FILE         writes everything that was measured
  --docs              writes docs/internals/bench.json, of which the site makes a page
  --help              prints this

LIST is separated by commas.
`;
