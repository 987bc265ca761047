import type { Kit } from '@mcpmux/kit';
import type { OwnTool } from '../../catalog/own-tool.js';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import type { Actor } from '../../server/config/actor.js';
import type { Registry } from '../../server/registry/registry.js';
import type { Audit } from '../journal/audit.js';
import type { ServerJournal } from '../journal/server-journal.js';
import { policyFor, type AddPolicy } from '../policy/add-policy.js';
import type { InstanceDirectory } from './instances.js';
import type { ServerStore } from './server-store.js';

/** The components of a mux that its own tools use. */
export interface ToolServices extends Pick<Kit, 'clock' | 'limits'> {
  /** The policy for servers that agents add. If absent, it depends on how the client is connected. */
  readonly addPolicy?: AddPolicy | undefined;
  /** The environment that servers inherit. Tool results never contain its secrets. */
  readonly environment: NodeJS.ProcessEnv;
  readonly audit: Audit;
  readonly journal: ServerJournal;
  /** Saves servers for later sessions. Absent if the host has no store. */
  readonly store?: ServerStore | undefined;
  /** True if the clients are one user's windows, which share the host's servers but not each other's. */
  readonly hasWindows?: boolean | undefined;
  /** True if the result of `list_servers` has a page (MCP App). */
  readonly hasOverviewApp?: boolean | undefined;
  /** Finds other instances. Absent if the host does not support instances. */
  readonly instances?: InstanceDirectory | undefined;
}

/**
 * The context of one call to an own tool: the mux's components, the caller, and the servers that the caller can see.
 */
export interface ToolContext extends ToolServices, OwnToolContext {
  /** The registry of all servers visible to the caller. */
  readonly registry: Registry;
  readonly catalog: CatalogView;
  readonly isOwnTool: (name: string) => boolean;
  /** mcpmux's own tools that the caller's list omits. */
  readonly unlistedTools: readonly OwnTool[];
  readonly addPolicy: AddPolicy;
}

/** Creates one call's context. The applicable policy depends on the caller's rights. */
export function createToolContext(
  services: ToolServices,
  call: OwnToolContext,
  isOwnTool: ToolContext['isOwnTool'],
  ownTools: readonly OwnTool[] = [],
): ToolContext {
  const { view, layers } = call.client;
  const addPolicy = policyFor(services.addPolicy, call.client);
  const { catalog, directory } = view;
  const { era, name: client } = call.client.protocol;
  const selection = catalog.selectionFor?.({ era, client });
  const unlistedTools = ownTools.filter(
    ({ name }) => directory.isOwnTool(name) && selection?.includesOwnTool(name) === false,
  );
  return { ...services, ...call, registry: layers.own, catalog, addPolicy, isOwnTool, unlistedTools };
}

/** Returns the calling agent as the actor of an action that has already been permitted. */
export function agentOf({ client }: OwnToolContext): Actor {
  return { rule: 'allow', session: client.session };
}
