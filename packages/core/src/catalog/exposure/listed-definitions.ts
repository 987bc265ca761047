import { qualify, parseServerName } from '@mcpmux/namespace';

import type { ServerExposure } from '../../server/lists/tool-filter.js';
import type { ExposureOptions } from './exposure-options.js';
import { Exposures } from './exposures.js';

/** A server's tool that {@link listedDefinitions} may list. */
export interface ListableTool {
  readonly server: string;
  /** The tool's name on its server. */
  readonly name: string;
  /** The tool's full list entry, as JSON text. */
  readonly json: string;
}

/** The settings that {@link listedDefinitions} applies. */
export interface ListedBy {
  readonly exposure: ExposureOptions;
  readonly ofServer: (server: string) => ServerExposure | undefined;
  /** Selects the settings for this client. When absent, the settings for all clients apply. */
  readonly client?: string | undefined;
  /** The size of mcpmux's own tools in the list, in bytes. */
  readonly ownBytes?: number;
}

/**
 * Returns each tool as `tools/list` shows it under an exposure, for a client that has neither called nor found a tool.
 *
 * @returns JSON text in the order of the tools; undefined for a tool that is not in the list
 */
export function listedDefinitions(
  tools: readonly ListableTool[],
  { exposure, ofServer, client, ownBytes = 0 }: ListedBy,
): readonly (string | undefined)[] {
  const entries = tools.map((tool) => ({
    tool: selectableTool(tool, ofServer),
    json: Buffer.from(tool.json),
  }));
  const rule = new Exposures(() => undefined, exposure).ruleFor(client);
  const listedJson = new Map(
    rule.select(entries, ownBytes).map(({ tool, json }) => [tool, json.toString('utf8')]),
  );
  return entries.map(({ tool }) => listedJson.get(tool));
}

function selectableTool({ server, name }: ListableTool, ofServer: ListedBy['ofServer']) {
  const qualifiedName = qualify(parseServerName(server), name);
  const exposure = ofServer(server);
  const view = exposure && { shown: () => undefined, exposure };
  return { qualifiedName, exposedName: qualifiedName, upstream: { view }, definition: { key: name } };
}
