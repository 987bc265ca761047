import { createHash } from 'node:crypto';
import process from 'node:process';

import { isObject, jsonEditor } from '@mcpmux/clients';
import { type Keyring, systemKeyring } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import { messageOf } from '@mcpmux/core';
import type { ChangedConfig, ChangeOptions, ConfigChange, ConfigEditor } from '@mcpmux/dashboard';

import { checkEntry, checkName, serverExists } from '../edit/entry/check-entry.js';
import { configServers, configTextOf } from '../config/config-choice.js';
import { namedEntry } from '../config/named-server.js';
import { shownDiff } from '../edit/shown-diff.js';
import { setEnabled } from '../edit/switch-entry.js';
import { withConfigLock, editedConfig, saveConfig, type OpenConfig } from '../edit/write-config.js';
import type { ConfigInForce } from '../config/config-in-force.js';
import { openValues, secretsWarning } from '../redact/literal-secrets.js';
import { secretReference } from '../registry/server-source.js';
import { processContext } from '../terminal/command-context.js';
import { usage } from '../terminal/command-error.js';

/**
 * Returns the editor through which the page changes a config, as commands do. The editor lists the entries of the
 * config in force.
 *
 * @param applyConfig makes the running mcpmux use the changed config
 */
export function configEditor(
  location: ConfigLocation,
  inForce: ConfigInForce,
  applyConfig: () => Promise<unknown>,
  keyring: Pick<Keyring, 'set'> = systemKeyring,
): ConfigEditor {
  return {
    entries: () => (inForce.applied?.servers ?? []).map(({ name, status }) => ({ name, status })),
    has: (server) => inForce.has(server),
    change: async (change, options) => {
      const changed = await editFile(location, change, options, keyring);
      if (changed.written) await applyConfig();
      return changed;
    },
  };
}

function editFile(
  location: ConfigLocation,
  change: ConfigChange,
  { isDryRun, basis }: ChangeOptions,
  keyring: Pick<Keyring, 'set'>,
): Promise<ChangedConfig> {
  const { file } = location;
  return withConfigLock(file, isDryRun, () => {
    const before = configTextOf(location);
    const current = basisOf(before);
    if (basis !== undefined && basis !== current)
      throw new Error(`${file} has changed since this change was shown. Show the change again.`);
    const after = textAfter({ ...configServers(location, before), file, text: before }, change);
    const diff = shownDiff(jsonEditor, before === '' ? '{}' : before, after, visibleValues(change));
    const quietContext = { ...processContext({ quiet: true }), environment: process.env };
    if (!isDryRun) storeSecrets(change, keyring);
    const written = !isDryRun && saveConfig(quietContext, { file, before, after }, false);
    return { file, diff, warnings: warningsOf(change), written, basis: current };
  });
}

function basisOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Stores the secrets that the added entries refer to.
 *
 * @throws Error if no entry refers to a secret, or if the keyring cannot be used
 */
function storeSecrets(change: ConfigChange, keyring: Pick<Keyring, 'set'>): void {
  if (change.kind !== 'add') return;
  const { servers, secrets = {} } = change;
  const text = JSON.stringify(servers);
  for (const [name, value] of Object.entries(secrets)) {
    if (!text.includes(secretReference(name)))
      throw new Error(`No added server refers to the secret ${name}. Fill in the form again.`);
    try {
      keyring.set(name, value);
    } catch (error) {
      throw new Error(
        `The keyring of the system cannot be used, so nothing was written (${messageOf(error)}). ` +
          'Leave the secret empty, and set its variable in the environment of mcpmux.',
        { cause: error },
      );
    }
  }
}

/**
 * Returns the values of variables and headers in the change that the diff must show. They may come from the registry,
 * and a person must see, for example, that a program gets `NODE_OPTIONS`.
 */
function visibleValues(change: ConfigChange): readonly string[] {
  if (change.kind !== 'add') return [];
  return Object.values(change.servers).flatMap((entry) => (isObject(entry) ? openValues(entry) : []));
}

function warningsOf(change: ConfigChange): readonly string[] {
  if (change.kind !== 'add') return [];
  const entries = Object.entries(change.servers);
  return entries.flatMap(([name, entry]) => (isObject(entry) ? (secretsWarning(name, entry) ?? []) : []));
}

function textAfter(config: OpenConfig, change: ConfigChange): string {
  const { file, text, reading } = config;
  switch (change.kind) {
    case 'add':
      return Object.entries(change.servers).reduce(
        (now, [name, entry]) => addServer(config, now, name, entry),
        text,
      );
    case 'remove':
      return editedConfig(file, text, namedEntry(reading.entries, change.name, file).path, undefined);
    case 'enable':
    case 'disable':
      return setEnabled(config, text, change.name, change.kind === 'enable');
  }
}

function addServer({ file, reading }: OpenConfig, text: string, name: string, entry: unknown): string {
  checkName(name);
  if (!isObject(entry))
    throw usage(`the entry of "${name}" is not an object.`, 'paste a block of mcpServers');
  checkEntry(name, entry);
  if (reading.entries.some((existing) => existing.name === name)) throw serverExists(name, file);
  return editedConfig(file, text, ['mcpServers', name], entry);
}
