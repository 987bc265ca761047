import process from 'node:process';

import {
  asLogger,
  DEFAULT_LIMITS,
  guarded,
  type AllLimits,
  messageOf,
  nullLogger,
  Semaphore,
  systemClock,
} from '@mcpmux/kit';
import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';
import type { LoadRemoteTokens } from '@mcpmux/remote';

import { Catalogs } from '../catalog/catalogs.js';
import { ChangeCoalescer, type ListChanges } from '../catalog/change-coalescer.js';
import { StartingServers } from '../catalog/starting-servers.js';
import type { Caller } from '../client/caller/caller.js';
import { Exposures } from '../catalog/exposure/exposures.js';
import type { WatchCalls } from '../catalog/exposure/tool-uses.js';
import { Primaries } from '../client/caller/primaries.js';
import { RootsCache } from '../client/caller/roots-cache.js';
import { legacyClientDialect } from '../client/legacy/client-dialect.js';
import { MODERN_UNGUARDED_METHODS } from '../client/modern/client-dialect.js';
import { ModernRequests } from '../client/modern/modern-requests.js';
import { createBridges } from '../client/bridge/bridges.js';
import { Listeners } from '../client/methods/listeners.js';
import { Sessions } from '../client/session/sessions.js';
import { ApprovalDesk } from '../guards/approval-desk.js';
import type { Guard } from '../guards/guard.js';
import { GuardList } from '../guards/guard-list.js';
import { ProcessGuard } from '../process/guard.js';
import { MAX_CONCURRENT_SPAWNS, spawnProcess } from '../process/server-process.js';
import { Fleet } from '../server/registry/fleet.js';
import { Layers } from '../server/registry/layers.js';
import { Registry } from '../server/registry/registry.js';
import { OwnTools } from '../tools/own-tools.js';
import { ServerJournal } from '../tools/journal/server-journal.js';
import { legacyServerDialect } from '../server/dialect/legacy/server-dialect.js';
import { createOpenRun } from '../server/dialect/modern/opening.js';
import type { Implementation } from '../server/dialect/server-identity.js';
import type { Layer } from '../server/config/layer.js';
import { LIST_KINDS, LISTS, type ListKind } from '../server/lists/list-kind.js';
import { ToolPins } from '../server/lists/tool-pins.js';
import { EraVerdicts } from '../server/config/era-verdicts.js';
import { CallEvents } from './call-events.js';
import type { MuxComponents, MuxOptions } from './mux-options.js';
import { MuxEvents } from './mux-events.js';
import { namedServer } from './server-place.js';
import { auditTo, ServerObserver } from './server-observer.js';
import { Redactors } from './session-messages.js';

const DEFAULT_IMPLEMENTATION: Implementation = { name: 'mcpmux', version: '0.0.0' };

/** Loaded on demand, because only servers at URLs that require credentials need the SDK. */
const loadRemoteTokens: LoadRemoteTokens = async () => (await import('@mcpmux/remote/logins')).sdkTokens;

/** The components of a mux, connected to each other. */
export type MuxParts = ReturnType<typeof compose>;

type Basics = ReturnType<typeof createBasics>;

/**
 * Creates the components of a mux in dependency order: sessions and catalogs, then the observer that notifies them of
 * server changes, then the registry.
 *
 * @throws MuxError INVALID_CONFIG for a name budget below 16, or a `requestStateKey` that is not 32 bytes long
 */
export function compose(options: MuxOptions, components: MuxComponents) {
  const basics = createBasics(options, components);
  const { clock, limits, logger, events, journal, catalogs, starting } = basics;
  const redactors = new Redactors(() => registry.allServers().map(({ secrets }) => secrets));
  const sessions = newSessions(basics, redactors);
  const delays = { delayMs: limits.listChangedDelayMs, maxDelayMs: limits.listChangedStartingMs };
  const announce = (changed: ListChanges): void => {
    events.emit('catalog:changed', {});
    sessions.announceChanges(changed);
  };
  const changes = new ChangeCoalescer(clock, delays, announce, starting);
  const observer = new ServerObserver({ logger, events, sessions, journal, catalogs, starting, changes });
  const { instanceId, processes, registry } = newRegistry(basics, observer, sessions);
  const layers = new Layers(registry, clock, limits.workspaceIdleMs, options.hasWindows);
  const approvals = new ApprovalDesk({ clock, logger, store: components.approvals });
  const use = createUseGuard(basics, changes, registry);
  return { ...basics, instanceId, sessions, changes, processes, registry, layers, approvals, use };
}

/**
 * Returns a function that adds a guard. When a guard is added or removed, clients are notified of the lists it affects.
 */
function createUseGuard({ guards }: Basics, changes: ChangeCoalescer, layer: Layer) {
  return (guard: Guard): (() => void) => {
    const { answers, shows } = guard;
    const answeredKinds: readonly ListKind[] = answers === undefined ? [] : ['tools'];
    const announce = (): void => {
      for (const kind of shows === undefined ? answeredKinds : LIST_KINDS)
        changes.addChange(layer, LISTS[kind].changedMethod);
    };
    const removeGuard = guards.use(guard);
    announce();
    return () => {
      removeGuard();
      announce();
    };
  };
}

function createBasics(options: MuxOptions, components: MuxComponents) {
  const limits = { ...DEFAULT_LIMITS, ...components.limits, ...options.limits };
  const logger = guarded(asLogger(components.logger ?? nullLogger));
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
    addPolicy: options.addPolicy,
    audit: auditTo(logger, events),
    store: components.persist,
    instances: components.instances,
    hasWindows: options.hasWindows,
    hasOverviewApp: components.overviewApp !== undefined,
  });
  const { implementation = DEFAULT_IMPLEMENTATION, requestStateKey: stateKey } = options;
  const dialect = legacyClientDialect(implementation);
  const primaries = new Primaries();
  const guards = new GuardList([...dialect.unguardedMethods, ...MODERN_UNGUARDED_METHODS]);
  const listeners = new Listeners();
  const init = { clock, logger, limits, guards, primaries, listeners, serverInfo: implementation, stateKey };
  const modern = new ModernRequests(init);
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
    guards,
    dialect,
    modern,
    listeners,
    primaries,
    exposures: newExposures(events, options),
    starting: new StartingServers(),
    catalogs: newCatalogs(ownTools, options, limits),
  };
}

function newCatalogs(
  { listedTools, guardedTools }: OwnTools,
  { nameBudget = DEFAULT_NAME_BUDGET }: MuxOptions,
  { listPageBytes }: AllLimits,
): Catalogs {
  return new Catalogs([...listedTools, ...guardedTools], { nameBudget, listPageBytes });
}

function newExposures(events: MuxEvents, { exposure }: MuxOptions): Exposures {
  const watch: WatchCalls = (count) => {
    events.on('call:start', ({ server, tool }) => count(server, tool));
  };
  return new Exposures(watch, exposure);
}

function newSessions(basics: Basics, redactors: Redactors): Sessions {
  const { options, components, clock, logger, limits, events, ownTools, implementation } = basics;
  const roots = new RootsCache<Caller>();
  const isOwnTool = (name: string): boolean => ownTools.has(name);
  return new Sessions({
    clock,
    logger,
    limits,
    ownTools,
    roots,
    guards: basics.guards,
    dialect: basics.dialect,
    modern: basics.modern,
    listeners: basics.listeners,
    primaries: basics.primaries,
    catalogs: basics.catalogs,
    exposures: basics.exposures,
    startingServers: basics.starting,
    ownNames: { isOwnTool, connects: components.instances !== undefined },
    waitForServers: options.waitForServers,
    overviewApp: components.overviewApp,
    calls: new CallEvents(events, clock, redactors),
    onRootsRequested: (upstream) => events.emit('server:asked-roots', namedServer(upstream)),
    bridges: createBridges({ clock, limits, roots }, implementation),
  });
}

function newRegistry(basics: Basics, observer: ServerObserver, { inbox }: Sessions) {
  const { clock, logger, limits, environment, primaries, options, components, implementation } = basics;
  const { spawn = spawnProcess, logins, sandbox, commandValue } = components;
  const instanceId = newInstanceId();
  const processes = new ProcessGuard(instanceId, logger);
  let runCount = 0;
  const parts = {
    clock,
    logger,
    limits,
    environment,
    guard: processes,
    dialect: legacyServerDialect(),
    open: createOpenRun(implementation, { clock, limits }),
    verdicts: new EraVerdicts(),
    spawn,
    sandbox,
    commandValue,
    spawnLimiter: new Semaphore(MAX_CONCURRENT_SPAWNS),
    remoteTokens: loadRemoteTokens,
    logins,
    nextRunId: () => (runCount += 1),
    pins: new ToolPins(options.pinTools ?? 'warn'),
    instanceId,
    inbox,
    clientProfile: primaries.profileFor.bind(primaries),
    firstEra: (layer: Layer) => primaries.eraFor(layer, options.firstEra),
    protocol: options.protocol,
  };
  const fleet = new Fleet(parts, observer.observe.bind(observer));
  return { instanceId, processes, registry: new Registry('shared', fleet) };
}

/** Returns a unique id. It need not be secret, so `node:crypto`, which takes milliseconds to load, is not used. */
function newInstanceId(): string {
  return [Math.random(), Math.random()].map((number) => number.toString(36).slice(2)).join('');
}
