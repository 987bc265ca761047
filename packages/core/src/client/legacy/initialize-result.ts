import { isRecord } from '@mcpmux/kit';
import { SANDBOX_STATE } from '../caller/client-paths.js';
import { clientProfileOf } from '../../server/dialect/client-profile.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import type { Upstream } from '../../server/upstream.js';
import {
  MAX_SERVER_INSTRUCTIONS_BYTES,
  truncatedInstructions,
} from '../../server/lists/shown-instructions.js';

/**
 * This text is short, because several clients truncate instructions at 2 KB, and the servers' own instructions follow.
 */
const INSTRUCTIONS = [
  'mcpmux puts any number of MCP servers behind this one connection. Their tools and prompts are named',
  '{server}__{name}. The texts of a server may use bare names, which work while only that server has them.',
  'Change the set of servers while you work: add_server starts one and returns its tools, reload_server restarts one',
  'after its program has changed, remove_server stops one, list_servers shows state, tools and last errors.',
  'If your own list of tools lacks a new tool: search_tools finds it, call_tool calls it.',
].join('\n');

/** The maximum total length of all servers' instructions, in bytes of UTF-8. */
export const MAX_INSTRUCTIONS_BYTES = 16_384;
const SKILLS_KEY = 'io.modelcontextprotocol/skills';
/** Matches a Markdown heading that would end a server's section: level 1 or 2. */
const SECTION_HEADING = /^#{1,2}(?=\s)/gm;

/** Every capability that a server may have. Servers may be added later, but the handshake fixes the capabilities. */
export const DECLARED_CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

/**
 * Returns the `InitializeResult` of the legacy era as JSON.
 *
 * @param params the request's params; if mcpmux does not know their protocol version, the result contains mcpmux's
 * newest
 * @param upstreams the servers whose instructions and extensions are merged
 */
export function initializeResultJson(
  params: Readonly<Record<string, unknown>>,
  serverInfo: Implementation,
  upstreams: readonly Upstream[],
): string {
  const { protocolVersion, name } = clientProfileOf(params);
  return JSON.stringify({
    protocolVersion,
    capabilities: {
      ...DECLARED_CAPABILITIES,
      ...experimentalCapabilities(upstreams, name),
      ...union(upstreams, 'extensions'),
    },
    serverInfo,
    instructions: instructionsOf(upstreams),
  });
}

/**
 * Returns mcpmux's own instructions, followed by the running servers' instructions up to their maximum total length.
 */
export function instructionsOf(upstreams: readonly Upstream[]): string {
  return [INSTRUCTIONS, ...instructionSections(upstreams)].join('\n\n');
}

/**
 * Returns the experimental capabilities to declare to the client with this name. Codex, or a mux between Codex and this
 * mux, sends the description of its sandbox only if the sandbox capability is declared here. It is always declared to
 * Codex, because a server that needs the description may be added later.
 */
export function experimentalCapabilities(
  upstreams: readonly Upstream[],
  client: string | undefined,
): Readonly<Record<string, unknown>> {
  const declared = union(upstreams, 'experimental');
  const isWanted =
    client?.startsWith('codex') === true ||
    upstreams.some(({ followedSandbox }) => followedSandbox !== undefined);
  if (!isWanted) return declared;
  return { experimental: { [SANDBOX_STATE]: {}, ...recordOrEmpty(declared['experimental']) } };
}

/** Merges the objects that the servers declare under one key of their capabilities. */
export function union(upstreams: readonly Upstream[], key: string): Readonly<Record<string, unknown>> {
  const known = upstreams.map(({ identity }) => identity?.capabilities[key]).filter(isRecord);
  if (known.length === 0) return {};
  // If several servers declare the same name, the first server in the list wins.
  const all = Object.fromEntries(known.toReversed().flatMap((names) => Object.entries(names)));
  // One server that can read directories is enough, because each directory request goes to a single server.
  const readsFolders = known.some(({ [SKILLS_KEY]: own }) => isRecord(own) && own['directoryRead'] === true);
  return {
    [key]: readsFolders
      ? { ...all, [SKILLS_KEY]: { ...recordOrEmpty(all[SKILLS_KEY]), directoryRead: true } }
      : all,
  };
}

function recordOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function instructionSections(upstreams: readonly Upstream[]): readonly string[] {
  let left = MAX_INSTRUCTIONS_BYTES;
  return upstreams.flatMap(({ name, identity, state }) => {
    const text = state.kind === 'running' ? identity?.instructions : undefined;
    if (text === undefined || text === '' || left <= 0) return [];
    const sectionText = truncatedInstructions(name, text, Math.min(MAX_SERVER_INSTRUCTIONS_BYTES, left));
    left -= Buffer.byteLength(sectionText);
    // A server must not be able to begin a section under another server's name.
    return [`## ${name}\n${sectionText.replaceAll(SECTION_HEADING, '###')}`];
  });
}
