import process from 'node:process';

import { isObject, jsonEditor } from '@mcpmux/clients';
import { loadConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { ChangedConfig, ConfigChange, ConfigEditor } from '@mcpmux/dashboard';

import { checkEntry, checkName, exists } from '../commands/add.js';
import { configServers, configTextOf, type ConfigServers } from '../commands/config-choice.js';
import { namedEntry } from '../commands/named-server.js';
import { shownDiff } from '../commands/shown-diff.js';
import { switched } from '../commands/switch-server.js';
import { changingConfig, editedConfig, saveConfig } from '../commands/write-config.js';
import { thisProcess } from '../config/this-process.js';
import { secretsWarning } from '../redact/literal-secrets.js';
import { processContext } from '../terminal/command-context.js';
import { usage } from '../terminal/command-error.js';

type OpenConfig = ConfigServers & { readonly file: string; readonly text: string };

/**
 * Changes a config for the page, as the commands do.
 *
 * @param applied makes the running mcpmux use the changed config
 */
export function configEditor(location: ConfigLocation, applied: () => Promise<unknown>): ConfigEditor {
  return {
    entries: () => loadConfig(location, thisProcess()).servers.map(({ name, status }) => ({ name, status })),
    change: async (change, isDryRun) => {
      const changed = await edited(location, change, isDryRun);
      if (changed.written) await applied();
      return changed;
    },
  };
}

function edited(location: ConfigLocation, change: ConfigChange, isDryRun: boolean): Promise<ChangedConfig> {
  const { file } = location;
  return changingConfig(file, isDryRun, () => {
    const before = configTextOf(location);
    const after = textAfter({ ...configServers(location, before), file, text: before }, change);
    const diff = shownDiff(jsonEditor, before === '' ? '{}' : before, after);
    const quiet = { ...processContext({ quiet: true }), environment: process.env };
    return {
      file,
      diff,
      warnings: warningsOf(change),
      written: !isDryRun && saveConfig(quiet, { file, before, after }, false),
    };
  });
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
        (now, [name, entry]) => added(config, now, name, entry),
        text,
      );
    case 'remove':
      return editedConfig(file, text, namedEntry(reading.entries, change.name, file).path, undefined);
    case 'enable':
    case 'disable':
      return switched(config, text, change.name, change.kind === 'enable');
  }
}

function added({ file, reading }: OpenConfig, text: string, name: string, entry: unknown): string {
  checkName(name);
  if (!isObject(entry))
    throw usage(`the entry of "${name}" is not an object.`, 'paste a block of mcpServers');
  checkEntry(name, entry);
  if (reading.entries.some((existing) => existing.name === name)) throw exists(name, file);
  return editedConfig(file, text, ['mcpServers', name], entry);
}
