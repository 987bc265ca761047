import process from 'node:process';

import type { ConfigFound, ConfigLocation } from '@mcpmux/config/find';
import type { CommandValue, InstanceDirectory, LoginStore, Mux, Sandbox, ServerStore } from '@mcpmux/core';
import type { ApprovalStore } from '@mcpmux/core/guards';

import { thisProcess } from '../config/this-process.js';
import type { StartedConfig } from './serve-config.js';

/** The environment variables with the secrets that give access to a cluster's logins. */
const SECRET_VARIABLES = ['MCPMUX_CLUSTER', 'MCPMUX_CLUSTER_KEY'] as const;

/**
 * Returns the cluster's logins if the config has a cluster, otherwise this user's logins. The code is loaded for the
 * first server that needs a login.
 *
 * Immediately removes the cluster's variables from the environment, so that no server inherits them.
 */
export function lazyLogins(found?: ConfigFound): LoginStore {
  const savedVariables = SECRET_VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of SECRET_VARIABLES) delete process.env[name];
  const loadLogins = memoize(async () => {
    const { loginsOfFoundConfig } = await import('../cluster/logins-of.js');
    const places = thisProcess();
    const environment = { ...places.environment, ...Object.fromEntries(savedVariables) };
    return loginsOfFoundConfig(found, { ...places, environment });
  });
  return {
    load: async (url) => (await loadLogins()).load(url),
    save: async (url, login) => (await loadLogins()).save(url, login),
    change: async (url, edit) => (await loadLogins()).change(url, edit),
  };
}

/** Returns the directory of this user's other mcpmux instances. Its code is loaded on first use. */
export function lazyInstanceDirectory(): InstanceDirectory {
  const loadDirectory = memoize(async () => {
    const { OtherInstances } = await import('../live/other-instances.js');
    const { folderContext } = await import('../live/instance-folder.js');
    return new OtherInstances(folderContext());
  });
  return {
    list: async (session) => (await loadDirectory()).list(session),
    open: async (instance) => (await loadDirectory()).open(instance),
  };
}

/**
 * Returns the sandbox for servers. Its code is loaded when the first confined server starts.
 *
 * @param config the path of the config in use, which may contain secrets
 */
export function lazySandbox(config: string | undefined): Sandbox {
  const loadSandbox = memoize(async () => (await import('../live/server-sandbox.js')).serverSandbox(config));
  return { confine: async (...program) => (await loadSandbox()).confine(...program) };
}

/** Returns a store that saves servers in a config file. Its code is loaded on first use. */
export function lazyServerStore(
  location: ConfigLocation,
  startedConfig: () => Promise<StartedConfig> | undefined,
): ServerStore {
  const loadStore = memoize(async () => {
    const { CatalogStore } = await import('./catalog-store.js');
    return new CatalogStore(location, (await startedConfig())?.reconciler);
  });
  return {
    save: async (name, config) => (await loadStore()).save(name, config),
    delete: async (name) => (await loadStore()).delete(name),
  };
}

/** Returns the store of this user's approvals. Its code is loaded for the first call that needs an approval. */
export function lazyApprovals(): ApprovalStore {
  const loadApprovals = memoize(async () => {
    const { ApprovalFile } = await import('../files/approval-file.js');
    return new ApprovalFile(thisProcess());
  });
  return {
    has: async (digest) => (await loadApprovals()).has(digest),
    add: async (digest, call) => (await loadApprovals()).add(digest, call),
  };
}

/**
 * Returns a function that runs the commands in config values. Its code is loaded when the first command runs.
 *
 * @param mux returns the mux that requests approvals and restarts the servers that waited for them
 */
export function lazyCommandValue(mux: () => Mux): CommandValue {
  const loadCommandValues = memoize(async () => {
    const { CommandValues } = await import('../live/command-value.js');
    return new CommandValues(lazyApprovals(), mux());
  });
  return async (command, start) => (await loadCommandValues()).evaluate(command, start);
}

function memoize<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let promise: Promise<Loaded> | undefined;
  return () => (promise ??= load());
}
