import { createHash } from 'node:crypto';
import process from 'node:process';

import { isObject, jsonEditor } from '@mcpmux/clients';
import { type Keyring, systemKeyring } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import { messageOf } from '@mcpmux/core';
import type { ChangedConfig, ChangeOptions, ConfigChange, ConfigEditor } from '@mcpmux/dashboard';

import { checkEntry, checkServerName, serverExistsError } from '../edit/entry/check-entry.js';
import { configServers, configTextOf } from '../config/config-choice.js';
import { namedEntry } from '../config/named-server.js';
import { redactedDiff } from '../edit/shown-diff.js';
import { withEnabledState } from '../edit/switch-entry.js';
import { withConfigLock, editedConfigText, saveConfig, type ConfigToEdit } from '../edit/write-config.js';
import type { ConfigInForce } from '../config/config-in-force.js';
import { nonSecretValues, secretsWarning } from '../redact/literal-secrets.js';
import { secretReference } from '../registry/server-source.js';
import { processContext } from '../terminal/command-context.js';
import { usageError } from '../terminal/command-error.js';

/**
 * Returns the editor that changes the config file for the page, with the same checks as the commands. It lists the
 * entries of the config in force.
 *
 * @param applyConfig applies the changed config to the running mcpmux
 */
export function configEditor(
  location: ConfigLocation,
  activeConfig: ConfigInForce,
  applyConfig: () => Promise<unknown>,
  keyring: Pick<Keyring, 'set'> = systemKeyring,
): ConfigEditor {
  return {
    entries: () => (activeConfig.applied?.servers ?? []).map(({ name, status }) => ({ name, status })),
    has: (server) => activeConfig.hasServer(server),
    change: async (change, options) => {
      const result = await editConfigFile(location, change, options, keyring);
      if (result.written) await applyConfig();
      return result;
    },
  };
}

function editConfigFile(
  location: ConfigLocation,
  change: ConfigChange,
  { isDryRun, basis }: ChangeOptions,
  keyring: Pick<Keyring, 'set'>,
): Promise<ChangedConfig> {
  const { file } = location;
  return withConfigLock(file, isDryRun, () => {
    const before = configTextOf(location);
    const currentBasis = basisOf(before);
    if (basis !== undefined && basis !== currentBasis)
      throw new Error(`${file} has changed since this change was shown. Show the change again.`);
    const after = changedText({ ...configServers(location, before), file, text: before }, change);
    const diff = redactedDiff(jsonEditor, before === '' ? '{}' : before, after, visibleValues(change));
    const quietContext = { ...processContext({ quiet: true }), environment: process.env };
    if (!isDryRun) storeSecrets(change, keyring);
    const written = !isDryRun && saveConfig(quietContext, { file, before, after }, false);
    return { file, diff, warnings: warningsOf(change), written, basis: currentBasis };
  });
}

function basisOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Stores the added servers' secrets in the keyring.
 *
 * @throws Error if no added entry refers to one of the secrets, or if the keyring cannot be used
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
 * Returns the non-secret values of variables and headers in a change. The diff displays them, because a person must be
 * able to check values from the registry, for example the value of `NODE_OPTIONS`.
 */
function visibleValues(change: ConfigChange): readonly string[] {
  if (change.kind !== 'add') return [];
  return Object.values(change.servers).flatMap((entry) => (isObject(entry) ? nonSecretValues(entry) : []));
}

function warningsOf(change: ConfigChange): readonly string[] {
  if (change.kind !== 'add') return [];
  const entries = Object.entries(change.servers);
  return entries.flatMap(([name, entry]) => (isObject(entry) ? (secretsWarning(name, entry) ?? []) : []));
}

function changedText(config: ConfigToEdit, change: ConfigChange): string {
  const { file, text, reading } = config;
  switch (change.kind) {
    case 'add':
      return Object.entries(change.servers).reduce(
        (now, [name, entry]) => addServer(config, now, name, entry),
        text,
      );
    case 'remove':
      return editedConfigText(file, text, namedEntry(reading.entries, change.name, file).path, undefined);
    case 'enable':
    case 'disable':
      return withEnabledState(config, text, change.name, change.kind === 'enable');
  }
}

function addServer({ file, reading }: ConfigToEdit, text: string, name: string, entry: unknown): string {
  checkServerName(name);
  if (!isObject(entry))
    throw usageError(`the entry of "${name}" is not an object.`, 'paste a block of mcpServers');
  checkEntry(name, entry);
  if (reading.entries.some((existing) => existing.name === name)) throw serverExistsError(name, file);
  return editedConfigText(file, text, ['mcpServers', name], entry);
}
