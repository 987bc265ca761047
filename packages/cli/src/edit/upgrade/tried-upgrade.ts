import { readFileSync } from 'node:fs';

import { decodedText, type JsonObject } from '@mcpmux/clients';
import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { liveServers } from '../../live/live-servers.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { withSpinner } from '../../terminal/spinner.js';
import { definitionChanges, type DefinitionChanges } from '../../versions/definition-changes.js';
import { wordsOf } from '../../versions/package-target.js';
import { configServers, configTextOf } from '../../config/config-choice.js';
import type { ServerVersion } from '../../versions/server-versions.js';
import { listedTools } from '../../live/server-tools.js';
import { shortReason } from '../../live/short-reason.js';
import { editedConfig, type OpenConfig } from '../write-config.js';
import { changedMeanwhile } from '../write-failure.js';

/** A version that replaces the version of a server. */
export interface Upgrade extends ServerVersion {
  readonly version: string;
  /** The word of the arguments that runs this version. */
  readonly word: string;
}

/** An upgrade whose version has been started once. */
export interface TriedUpgrade extends Upgrade {
  /** The word that it replaces. */
  readonly before: unknown;
  /** The number of tools of the version. */
  readonly tools?: number;
  /** Undefined if the tools before are unknown. */
  readonly changes?: DefinitionChanges;
  /** The reason why the version cannot be used. */
  readonly problem?: string;
}

/**
 * Starts a version of a server beside the current one, and compares their tools. The running mcpmux or the last run has
 * the current tools.
 */
export async function tryUpgrade(
  context: CommandContext,
  location: ConfigLocation,
  upgrade: Upgrade,
): Promise<TriedUpgrade> {
  const { name, path, target, word, version } = upgrade;
  const text = configTextOf(location);
  const words = wordsOf(configServers(location, text).valueOf(path));
  const before = words[target.at];
  const edited = editedConfig(location.file, text, [...path, 'args'], words.with(target.at, word));
  const read = (file: string): string => (file === location.file ? edited : decodedText(readFileSync(file)));
  const work = async () => {
    const old = await toolsOf(context, loadConfig(location, context), name, false);
    return { old, tried: await toolsOf(context, loadConfig(location, context, read), name, true) };
  };
  const { old, tried } = await withSpinner(context, `starting ${name} ${version}`, work());
  if (typeof tried === 'string') return { ...upgrade, before, problem: shortReason(name, tried) };
  const changes = typeof old === 'string' ? {} : { changes: definitionChanges(old, tried) };
  return { ...upgrade, before, tools: tried.size, ...changes };
}

/**
 * Returns the text of a config with the tried versions.
 *
 * @throws CommandError FILE_CHANGED if a server has other arguments than it had when its version was tried
 */
export function withUpgrades(config: OpenConfig, upgrades: readonly TriedUpgrade[]): string {
  return upgrades.reduce((text, { path, target, word, before }) => {
    const words = wordsOf(config.valueOf(path));
    if (words[target.at] !== before) throw changedMeanwhile(config.file);
    return editedConfig(config.file, text, [...path, 'args'], words.with(target.at, word));
  }, config.text);
}

/** Returns the tools of a server by their names on the server, or the reason why there are none. */
async function toolsOf(
  { environment }: CommandContext,
  config: LoadedConfig,
  name: string,
  fresh: boolean,
): Promise<ReadonlyMap<string, JsonObject> | string> {
  const starts = fresh ? 'all' : 'unknown';
  await using live = await liveServers(config, { environment, only: [name], fresh, starts });
  const [outcome] = live.outcomes;
  const isKnown = outcome?.kind === 'running' || outcome?.kind === 'remembered';
  if (!isKnown) return (outcome && 'reason' in outcome ? outcome.reason : undefined) ?? 'it did not start';
  const states = live.states.filter((state) => state.name === name);
  const owners = new Map(states.map((state) => [state.name, state.tools]));
  const listed = listedTools(await live.connection.list('tools/list', 'tools'), owners);
  return new Map(listed.map(({ originalName, definition }) => [originalName, definition]));
}
