import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { systemClock, type Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js';
import { guarded, nullLogger, type Logger } from '../base/logger.js';
import { Catalogs } from '../catalog/catalogs.js';
import { ChangeCoalescer } from '../catalog/change-coalescer.js';
import { methodsByScope, type ListChange } from '../catalog/list-change.js';
import type { CallingClient } from '../downstream/caller/own-tool-handler.js';
import { Primaries } from '../downstream/caller/primaries.js';
import { initializeResultJson } from '../downstream/session/initialize-result.js';
import { Sessions } from '../downstream/session/sessions.js';
import { GuardList } from '../guards/guard-list.js';
import { ProcessGuard } from '../process/guard.js';
import { Fleet } from '../registry/fleet.js';
import { Layers } from '../registry/layers.js';
import { Registry } from '../registry/registry.js';
import { ALLOW_ALL, policyFor } from '../tools/add-policy.js';
import { INSTANCE_TOOLS, isInstanceTool } from '../tools/instance-definitions.js';
import { lazyManagement } from '../tools/lazy-management.js';
import type { ManagementComponents } from '../tools/management.js';
import { ServerJournal } from '../tools/server-journal.js';
import { isOwnToolName, OWN_TOOLS, OWN_TOOLS_WITH_STORE } from '../tools/tool-definitions.js';
import type { Implementation } from '../upstream/run/handshake.js';
import { ToolPins } from '../upstream/lists/tool-pins.js';
import { CallEvents } from './call-events.js';
import type { MuxComponents, MuxOptions } from './mux-api.js';
import { MuxEvents } from './mux-events.js';
import { auditTo, ServerObserver } from './server-observer.js';
import { upstreamComponents } from './upstream-components.js';

const DEFAULT_IMPLEMENTATION: Implementation = { name: 'mcpmux', version: '0.0.0' };

/** The parts of a mux. */
export interface MuxParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly events: MuxEvents;
  readonly guards: GuardList;
  readonly processes: ProcessGuard;
  readonly journal: ServerJournal;
  readonly catalogs: Catalogs;
  readonly changes: ChangeCoalescer<ListChange>;
  readonly sessions: Sessions;
  /** The shared registry. */
  readonly registry: Registry;
  readonly layers: Layers;
}

/** What every part may use. */
interface Basics extends Pick<MuxParts, 'clock' | 'limits' | 'events' | 'guards' | 'journal' | 'catalogs'> {
  readonly options: MuxOptions;
  readonly components: MuxComponents;
  readonly logger: Logger;
  readonly implementation: Implementation;
  readonly environment: NodeJS.ProcessEnv;
  readonly primaries: Primaries;
}

/**
 * Puts a mux together: sessions and catalogs first, then the observer that tells them of servers, then the registry.
 *
 * @throws MuxError INVALID_CONFIG for a name budget below 16
 */
export function compose(options: MuxOptions, components: MuxComponents): MuxParts {
  const basics = basicsOf(options, components);
  const { clock, limits, logger, events, journal, catalogs } = basics;
  const sessions = newSessions(basics);
  const changes = new ChangeCoalescer<ListChange>(clock, limits.listChangedDelayMs, (changed) => {
    events.emit('catalog:changed', {});
    sessions.announce(methodsByScope(changed));
  });
  const observer = new ServerObserver({ logger, events, sessions, journal, catalogs, changes });
  const { processes, registry } = newRegistry(basics, observer);
  // Now, so that a name budget that is too small is refused before anything runs.
  catalogs.at(registry);
  const layers = new Layers({ shared: registry, clock, workspaceIdleMs: limits.workspaceIdleMs });
  return { ...basics, sessions, changes, processes, registry, layers };
}

function basicsOf(options: MuxOptions, components: MuxComponents): Basics {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const logger = guarded(components.logger ?? nullLogger);
  const clock = components.clock ?? systemClock;
  const { nameBudget = DEFAULT_NAME_BUDGET } = options;
  const ofServers = components.persist === undefined ? OWN_TOOLS : OWN_TOOLS_WITH_STORE;
  const ownTools = components.instances === undefined ? ofServers : [...ofServers, ...INSTANCE_TOOLS];
  return {
    options,
    components,
    limits,
    logger,
    clock,
    implementation: options.implementation ?? DEFAULT_IMPLEMENTATION,
    environment: components.environment ?? process.env,
    events: new MuxEvents((error) =>
      logger.log('error', 'a listener of an event threw', { problem: messageOf(error) }),
    ),
    guards: new GuardList(),
    journal: new ServerJournal(clock),
    primaries: new Primaries(),
    catalogs: new Catalogs(ownTools, { nameBudget, listPageBytes: limits.listPageBytes }),
  };
}

function newSessions(basics: Basics): Sessions {
  const { clock, logger, limits, guards, catalogs, primaries, events, components, implementation } = basics;
  const connects = components.instances !== undefined;
  const isOwnTool = (name: string): boolean => isOwnToolName(name) && (connects || !isInstanceTool(name));
  return new Sessions({
    clock,
    logger,
    limits,
    guards,
    catalogs,
    primaries,
    ownNames: { isOwnTool, connects },
    ownTools: lazyManagement(isOwnTool, (client) => managementFor(client, basics)),
    calls: new CallEvents(events, clock),
    initializeResult: (params, upstreams) => initializeResultJson(params, implementation, upstreams),
  });
}

function managementFor({ view, principal, scope }: CallingClient, basics: Basics): ManagementComponents {
  const { clock, limits, journal, environment, logger, events, options, components } = basics;
  return {
    registry: scope.own,
    catalog: view.catalog,
    clock,
    limits,
    journal,
    addPolicy: policyFor(options.addPolicy ?? ALLOW_ALL, principal.rights),
    environment,
    audit: auditTo(logger, events),
    store: components.persist,
    instances: components.instances,
  };
}

function newRegistry(basics: Basics, observer: ServerObserver): Pick<MuxParts, 'processes' | 'registry'> {
  const { clock, logger, limits, environment, primaries, options, components, implementation } = basics;
  const instanceId = randomUUID();
  const processes = new ProcessGuard(instanceId, logger);
  const ofMux = {
    clock,
    logger,
    limits,
    guard: processes,
    clientInfo: implementation,
    environment,
    pins: new ToolPins(options.pinTools ?? 'warn'),
    instanceId,
    clientProfile: primaries.capabilitiesFor.bind(primaries),
  };
  const fleet = new Fleet(upstreamComponents(ofMux, components), observer);
  return { processes, registry: new Registry('shared', fleet) };
}
