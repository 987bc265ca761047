import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { systemClock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import { DEFAULT_LIMITS } from '../base/limits.js';
import { guarded, nullLogger } from '../base/logger.js';
import { Catalogs } from '../catalog/catalogs.js';
import { ChangeCoalescer } from '../catalog/change-coalescer.js';
import { methodsByLayer, type ListChange } from '../catalog/list-change.js';
import { Primaries } from '../downstream/caller/primaries.js';
import { legacyClientDialect } from '../dialect/legacy/client-dialect.js';
import { Sessions } from '../downstream/session/sessions.js';
import { GuardList } from '../guards/guard-list.js';
import { ProcessGuard } from '../process/guard.js';
import { Fleet } from '../registry/fleet.js';
import { Layers } from '../registry/layers.js';
import { Registry } from '../registry/registry.js';
import { ALLOW_ALL } from '../tools/policy/add-policy.js';
import { OwnTools } from '../tools/own-tools.js';
import { ServerJournal } from '../tools/journal/server-journal.js';
import type { Implementation } from '../dialect/server-identity.js';
import { ToolPins } from '../upstream/lists/tool-pins.js';
import { CallEvents } from './call-events.js';
import type { MuxComponents, MuxOptions } from './mux-api.js';
import { MuxEvents } from './mux-events.js';
import { auditTo, ServerObserver } from './server-observer.js';
import { upstreamComponents } from './upstream-components.js';

const DEFAULT_IMPLEMENTATION: Implementation = { name: 'mcpmux', version: '0.0.0' };

/** The parts of a mux. */
export type MuxParts = ReturnType<typeof compose>;

type Basics = ReturnType<typeof basicsOf>;

/**
 * Puts a mux together: sessions and catalogs first, then the observer that tells them of servers, then the registry.
 *
 * @throws MuxError INVALID_CONFIG for a name budget below 16
 */
export function compose(options: MuxOptions, components: MuxComponents) {
  const basics = basicsOf(options, components);
  const { clock, limits, logger, events, journal, catalogs } = basics;
  const sessions = newSessions(basics);
  const changes = new ChangeCoalescer<ListChange>(clock, limits.listChangedDelayMs, (changed) => {
    events.emit('catalog:changed', {});
    sessions.announce(methodsByLayer(changed));
  });
  const observer = new ServerObserver({ logger, events, sessions, journal, catalogs, changes });
  const { processes, registry } = newRegistry(basics, observer, sessions);
  // Now, so that a name budget that is too small is refused before anything runs.
  catalogs.at(registry);
  const layers = new Layers({ shared: registry, clock, workspaceIdleMs: limits.workspaceIdleMs });
  return { ...basics, sessions, changes, processes, registry, layers };
}

function basicsOf(options: MuxOptions, components: MuxComponents) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const logger = guarded(components.logger ?? nullLogger);
  const clock = components.clock ?? systemClock;
  const environment = components.environment ?? process.env;
  const journal = new ServerJournal(clock);
  const events = new MuxEvents((error) =>
    logger.log('error', 'a listener of an event threw', { problem: messageOf(error) }),
  );
  const ownTools = new OwnTools({
    clock,
    limits,
    journal,
    environment,
    addPolicy: options.addPolicy ?? ALLOW_ALL,
    audit: auditTo(logger, events),
    store: components.persist,
    instances: components.instances,
  });
  const { nameBudget = DEFAULT_NAME_BUDGET, implementation = DEFAULT_IMPLEMENTATION } = options;
  const dialect = legacyClientDialect(implementation);
  return {
    options,
    components,
    limits,
    logger,
    clock,
    environment,
    journal,
    events,
    ownTools,
    implementation,
    guards: new GuardList(dialect.unguarded),
    dialect,
    primaries: new Primaries(),
    catalogs: new Catalogs(ownTools.listed, { nameBudget, listPageBytes: limits.listPageBytes }),
  };
}

function newSessions(basics: Basics): Sessions {
  const { clock, logger, limits, guards, catalogs, primaries, events, ownTools } = basics;
  const { components, dialect } = basics;
  const isOwnTool = (name: string): boolean => ownTools.has(name);
  return new Sessions({
    clock,
    logger,
    limits,
    guards,
    catalogs,
    primaries,
    ownNames: { isOwnTool, connects: components.instances !== undefined },
    ownTools,
    calls: new CallEvents(events, clock),
    dialect,
  });
}

function newRegistry(basics: Basics, observer: ServerObserver, { inbox }: Sessions) {
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
    inbox,
    clientProfile: primaries.capabilitiesFor.bind(primaries),
  };
  const fleet = new Fleet(upstreamComponents(ofMux, components), observer);
  return { processes, registry: new Registry('shared', fleet) };
}
