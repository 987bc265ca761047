import { exposureOf, type ExposureFlags, type LoadedConfig, serverExposureOf } from '@mcpmux/config';
import { listedDefinitions } from '@mcpmux/core';

import { inColumns } from '../terminal/columns.js';
import type { ListedTool } from '../live/server-tools.js';

/** An average. Real definitions range from 4.0 to 5.0 bytes per `o200k_base` token (see `tool-costs.e2e.test.ts`). */
const BYTES_PER_TOKEN = 4.5;

/** Estimates the number of tokens in a definition. An exact tokenizer would double the package size. */
function estimateTokens(json: string): number {
  return Math.round(Buffer.byteLength(json) / BYTES_PER_TOKEN);
}

/** The estimated token counts of a tool's definition. */
export interface ToolCost {
  readonly tool: ListedTool;
  /** The number of tokens in the definition as the server wrote it. */
  readonly fullCost: number;
  /** The number of tokens in the definition in `tools/list`. Undefined if the tool is unlisted. */
  readonly listedCost: number | undefined;
}

/** Estimates the tokens of each tool's definition, before and after the config's exposure settings are applied. */
export function toolCosts(
  tools: readonly ListedTool[],
  config: Pick<LoadedConfig, 'servers' | 'exposure'>,
  flags: ExposureFlags,
): readonly ToolCost[] {
  const settings = new Map(
    config.servers.flatMap((server) =>
      server.status === 'ready' && server.tools?.exposure !== undefined
        ? [[server.name, serverExposureOf(server.tools.exposure)] as const]
        : [],
    ),
  );
  const described = tools.map(({ server, originalName, definition }) => ({
    server,
    name: originalName,
    json: JSON.stringify(definition),
  }));
  const exposure = exposureOf(config.exposure, flags);
  const listed = listedDefinitions(described, { exposure, ofServer: (server) => settings.get(server) });
  return tools.map((tool, index) => {
    const json = listed[index];
    const fullCost = estimateTokens(described[index]?.json ?? '');
    return { tool, fullCost, listedCost: json === undefined ? undefined : estimateTokens(json) };
  });
}

/** Returns the costs in the form that `--json` prints. */
export function costData(costs: readonly ToolCost[]): object {
  const toData = ({ tool, fullCost, listedCost }: ToolCost): object => {
    return { name: tool.name, server: tool.server, tokens: { all: fullCost, listed: listedCost ?? 0 } };
  };
  return { tokens: totalTokens(costs), tools: costs.map(toData) };
}

/** Formats a table of the servers' totals. Each server's tools follow its total, most expensive first. */
export function costText(costs: readonly ToolCost[], width: number): string {
  const rows = [['', 'TOKENS', 'LISTED', '']];
  for (const [server, serverCosts] of groupByServer(costs)) {
    const { all, listed } = totalTokens(serverCosts);
    rows.push([server, String(all), String(listed), `${serverCosts.length} tools`]);
    for (const cost of serverCosts.toSorted((left, right) => right.fullCost - left.fullCost))
      rows.push([`  ${cost.tool.originalName}`, String(cost.fullCost), String(cost.listedCost ?? '-'), '']);
  }
  const { all, listed } = totalTokens(costs);
  rows.push(['all servers', String(all), String(listed), `${costs.length} tools`]);
  return inColumns(rows, width);
}

function totalTokens(costs: readonly ToolCost[]): { readonly all: number; readonly listed: number } {
  const sum = (of: (cost: ToolCost) => number): number => costs.reduce((all, cost) => all + of(cost), 0);
  return { all: sum(({ fullCost }) => fullCost), listed: sum(({ listedCost }) => listedCost ?? 0) };
}

function groupByServer(costs: readonly ToolCost[]): readonly (readonly [string, readonly ToolCost[]])[] {
  const servers = [...new Set(costs.map(({ tool }) => tool.server))];
  return servers.map((server) => [server, costs.filter(({ tool }) => tool.server === server)] as const);
}
