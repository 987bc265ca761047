import { readFileSync } from 'node:fs';

import { decodedText, type JsonObject } from '@mcpmux/clients';
import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { liveServers } from '../../live/live-servers.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { withSpinner } from '../../terminal/spinner.js';
import { definitionChanges, type DefinitionChanges } from '../../versions/definition-changes.js';
import { argumentsOf } from '../../versions/package-target.js';
import { configServers, configTextOf } from '../../config/config-choice.js';
import type { ServerVersion } from '../../versions/server-versions.js';
import { listedTools } from '../../live/server-tools.js';
import { shortReason } from '../../live/short-reason.js';
import { editedConfigText, type ConfigToEdit } from '../write-config.js';
import { fileChangedError } from '../write-failure.js';

/** A change of a server's package to another version, which may be older. */
export interface Upgrade extends ServerVersion {
  readonly version: string;
  /** The argument that selects this version. */
  readonly argument: string;
}

/** An upgrade with the result of a test run of its version. */
export interface TriedUpgrade extends Upgrade {
  /** The argument that selects the previous version. */
  readonly previousArgument: unknown;
  /** The number of tools in the new version. Undefined if the test run failed. */
  readonly tools?: number;
  /** The changes to the tools. Undefined if the previous tools are unknown. */
  readonly changes?: DefinitionChanges;
  /** The reason why the version cannot be used. */
  readonly problem?: string;
}

/**
 * Starts a server's new version once and compares its tools with the current version's tools, which come from the
 * running mcpmux, from the last run, or from a start of the current version.
 */
export async function tryUpgrade(
  context: CommandContext,
  location: ConfigLocation,
  upgrade: Upgrade,
): Promise<TriedUpgrade> {
  const { name, path, target, argument, version } = upgrade;
  const text = configTextOf(location);
  const words = argumentsOf(configServers(location, text).valueOf(path));
  const previousArgument = words[target.index];
  const edited = editedConfigText(location.file, text, [...path, 'args'], words.with(target.index, argument));
  const read = (file: string): string => (file === location.file ? edited : decodedText(readFileSync(file)));
  const work = async () => {
    const previousTools = await loadTools(context, loadConfig(location, context), name, false);
    return {
      old: previousTools,
      tried: await loadTools(context, loadConfig(location, context, read), name, true),
    };
  };
  const { old: previousTools, tried } = await withSpinner(context, `starting ${name} ${version}`, work());
  if (typeof tried === 'string') return { ...upgrade, previousArgument, problem: shortReason(name, tried) };
  const changes =
    typeof previousTools === 'string' ? {} : { changes: definitionChanges(previousTools, tried) };
  return { ...upgrade, previousArgument, tools: tried.size, ...changes };
}

/**
 * Returns the config's text with the new versions.
 *
 * @throws CommandError FILE_CHANGED if a server's package argument has changed since the test run
 */
export function withUpgrades(config: ConfigToEdit, upgrades: readonly TriedUpgrade[]): string {
  return upgrades.reduce((text, { path, target, argument, previousArgument }) => {
    const words = argumentsOf(config.valueOf(path));
    if (words[target.index] !== previousArgument) throw fileChangedError(config.file);
    return editedConfigText(config.file, text, [...path, 'args'], words.with(target.index, argument));
  }, config.text);
}

/** Returns a server's tools, keyed by local name, or the reason why they are unknown. */
async function loadTools(
  { environment }: CommandContext,
  config: LoadedConfig,
  name: string,
  isFresh: boolean,
): Promise<ReadonlyMap<string, JsonObject> | string> {
  const toStart = isFresh ? 'all' : 'unknown';
  await using live = await liveServers(config, { environment, only: [name], fresh: isFresh, toStart });
  const [outcome] = live.outcomes;
  const isKnown = outcome?.kind === 'running' || outcome?.kind === 'remembered';
  if (!isKnown) return (outcome && 'reason' in outcome ? outcome.reason : undefined) ?? 'it did not start';
  const states = live.states.filter((state) => state.name === name);
  const owners = new Map(states.map((state) => [state.name, state.tools]));
  const listed = listedTools(await live.connection.listAll('tools/list', 'tools'), owners);
  return new Map(listed.map(({ originalName, definition }) => [originalName, definition]));
}
