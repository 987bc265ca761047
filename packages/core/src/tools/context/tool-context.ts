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

/** The parts of a mux that its own tools use. */
export interface ToolServices extends Pick<Kit, 'clock' | 'limits'> {
  /** The policy for servers that agents add. When absent, it depends on the type of the client's link. */
  readonly addPolicy?: AddPolicy | undefined;
  /** The environment that servers inherit. Results never contain its secrets. */
  readonly environment: NodeJS.ProcessEnv;
  readonly audit: Audit;
  readonly journal: ServerJournal;
  /** Stores servers for later starts; absent if the host has no store. */
  readonly store?: ServerStore | undefined;
  /** True if the clients are windows of one user, which share the host's servers but not each other's. */
  readonly hasWindows?: boolean | undefined;
  /** True if the result of `list_servers` has a page (MCP App). */
  readonly hasOverviewApp?: boolean | undefined;
  /** Finds other instances; absent if the host does not support instances. */
  readonly instances?: InstanceDirectory | undefined;
}

/** The inputs of one call to an own tool: the parts of the mux, the caller and the caller's view. */
export interface ToolContext extends ToolServices, OwnToolContext {
  /** The registry of the servers that are visible to the caller. */
  readonly registry: Registry;
  readonly catalog: CatalogView;
  readonly isOwnTool: (name: string) => boolean;
  /** mcpmux's own tools that are not in the caller's list. */
  readonly unlistedTools: readonly OwnTool[];
  readonly addPolicy: AddPolicy;
}

/** Returns the context of one call. The applicable policy depends on the caller's rights. */
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

/** Returns the actor of a permitted action by the calling agent. Does not check the permission. */
export function agentOf({ client }: OwnToolContext): Actor {
  return { rule: 'allow', session: client.session };
}
