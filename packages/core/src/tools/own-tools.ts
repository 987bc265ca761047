import { MuxError } from '@mcpmux/kit';
import type { Zod } from '@mcpmux/kit/zod';
import { NamespaceError } from '@mcpmux/namespace';

import { OVERVIEW_URI, type OwnTool } from '../catalog/own-tool.js';
import type { OwnToolContext, OwnToolHandler } from '../client/caller/own-tool-handler.js';
import { errorResultJson, structuredResultJson } from '../client/caller/tool-result.js';
import { addServerTool } from './add-server.js';
import { callTool, runCode, readResult } from './intercepted-tools.js';
import { connectInstance } from './connect-instance.js';
import { createToolContext, type ToolContext, type ToolServices } from './context/tool-context.js';
import { InvalidArguments, invalidArgumentsError, type Tool } from './context/tool.js';
import { disconnectInstance } from './disconnect-instance.js';
import { listInstances } from './list-instances.js';
import { LIST_SERVERS, listServersTool } from './list-servers.js';
import { reloadServer } from './reload-server.js';
import { removeServer } from './remove-server.js';
import { searchTools } from './search-tools.js';
import { serverLogs } from './server-logs.js';

/** Returns a mux's own tools in `tools/list` order. Their names lack `__`, so no server's tool can share a name. */
export function createOwnTools(
  services: Pick<ToolServices, 'store' | 'instances' | 'hasWindows'>,
): readonly Tool[] {
  return [
    addServerTool(services),
    removeServer,
    reloadServer,
    listServersTool(services),
    callTool,
    searchTools,
    serverLogs,
    ...(services.instances === undefined ? [] : [listInstances, connectInstance, disconnectInstance]),
  ];
}

/** mcpmux's own tools that are listed only if a guard is present to handle their calls. */
const GUARDED_TOOLS: readonly Tool[] = [readResult, runCode];

/** Runs mcpmux's own tools for sessions. */
export class OwnTools implements OwnToolHandler {
  /** mcpmux's own tools that do not depend on a guard, as `tools/list` shows them. */
  readonly listedTools: readonly OwnTool[];
  /** mcpmux's own tools that are listed only if a guard is present to handle their calls. */
  readonly guardedTools: readonly OwnTool[];
  private readonly tools: ReadonlyMap<string, Tool>;

  constructor(private readonly services: ToolServices) {
    const tools = createOwnTools(services);
    const { hasOverviewApp } = services;
    this.listedTools = tools.map((tool) =>
      hasOverviewApp === true ? withOverviewApp(toOwnTool(tool)) : toOwnTool(tool),
    );
    this.guardedTools = GUARDED_TOOLS.map(toOwnTool);
    this.tools = new Map([...tools, ...GUARDED_TOOLS].map((tool) => [tool.definition.name, tool]));
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  changesLists(name: string): boolean {
    return this.tools.get(name)?.changesLists === true;
  }

  async call(name: string, args: unknown, call: OwnToolContext): Promise<string> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new TypeError(`${name} is no tool of mcpmux`);
    // Loads zod on the first call, because listing tools and forwarding calls do not require it.
    const { z } = await import('@mcpmux/kit/zod');
    const context = createToolContext(this.services, call, (one) => this.has(one), this.listedTools);
    return runTool(tool, args, context, z);
  }
}

function toOwnTool({ definition }: Tool): OwnTool {
  return { name: definition.name, json: JSON.stringify(definition) };
}

/** Adds a link to the result's page to the definition of `list_servers`. Returns any other tool unchanged. */
function withOverviewApp(tool: OwnTool): OwnTool {
  if (tool.name !== LIST_SERVERS) return tool;
  const meta = JSON.stringify({ ui: { resourceUri: OVERVIEW_URI } });
  return { ...tool, appJson: `${tool.json.slice(0, -1)},"_meta":${meta}}` };
}

/** Validates the arguments, runs the tool, and converts expected errors to results that a model can act on. */
export async function runTool(tool: Tool, args: unknown, context: ToolContext, z: Zod): Promise<string> {
  try {
    return structuredResultJson(await tool.run(checkInput(tool, args, z), context));
  } catch (error) {
    const isRefusal = [InvalidArguments, MuxError, NamespaceError].some((kind) => error instanceof kind);
    if (!isRefusal || !(error instanceof Error)) throw error;
    return errorResultJson(error.message);
  }
}

/**
 * Validates a call's arguments.
 *
 * @throws InvalidArguments whose message states each problem and its field
 */
export function checkInput({ definition, input }: Tool, args: unknown, z: Zod): unknown {
  const parsed = input(z).safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  throw invalidArgumentsError(definition.name, problems.join('; '));
}
