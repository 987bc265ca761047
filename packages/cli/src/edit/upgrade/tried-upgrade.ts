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

/** A change of a server's package to another version. */
export interface Upgrade extends ServerVersion {
  readonly version: string;
  /** The argument that runs this version. */
  readonly word: string;
}

/** An upgrade after a test run of the version. */
export interface TriedUpgrade extends Upgrade {
  /** The argument that runs the previous version. */
  readonly before: unknown;
  /** The number of tools in the version. */
  readonly tools?: number;
  /** The changes to the tools. Undefined if the previous tools are unknown. */
  readonly changes?: DefinitionChanges;
  /** The reason why the version cannot be used. */
  readonly problem?: string;
}

/**
 * Starts a version of a server next to the current version and compares their tools. The current tools come from the
 * running mcpmux or from the last run.
 */
export async function tryUpgrade(
  context: CommandContext,
  location: ConfigLocation,
  upgrade: Upgrade,
): Promise<TriedUpgrade> {
  const { name, path, target, word, version } = upgrade;
  const text = configTextOf(location);
  const words = wordsOf(configServers(location, text).valueOf(path));
  const before = words[target.index];
  const edited = editedConfig(location.file, text, [...path, 'args'], words.with(target.index, word));
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
 * Returns the text of a config with the new versions.
 *
 * @throws CommandError FILE_CHANGED if the arguments of a server have changed since the test run
 */
export function withUpgrades(config: OpenConfig, upgrades: readonly TriedUpgrade[]): string {
  return upgrades.reduce((text, { path, target, word, before }) => {
    const words = wordsOf(config.valueOf(path));
    if (words[target.index] !== before) throw changedMeanwhile(config.file);
    return editedConfig(config.file, text, [...path, 'args'], words.with(target.index, word));
  }, config.text);
}

/** Returns the tools of a server by local name, or the reason why they are unknown. */
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
