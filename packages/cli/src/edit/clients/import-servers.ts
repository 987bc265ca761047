import type { ConfigLocation } from '@mcpmux/config/find';

import { configServers } from '../../config/config-choice.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { editedConfig } from '../write-config.js';
import { ImportPlan, type FolderRules, type ImportStep, type PlannedSource } from './import-plan.js';
import { takeoverSteps } from './takeover.js';

/** Plans the import of each source's servers into a config with this text. */
export function plannedImport(
  { cwd }: CommandContext,
  location: ConfigLocation,
  text: string,
  {
    read,
    isConfirmed,
  }: { readonly read: readonly Omit<PlannedSource, 'steps'>[] } & Pick<FolderRules, 'isConfirmed'>,
): readonly PlannedSource[] {
  const { reading, valueOf } = configServers(location, text);
  const existing = reading.entries.map(({ name, path }) => [name, valueOf(path)] as const);
  const isPlaced = location.origin !== 'project' || location.folder !== cwd;
  const plan = new ImportPlan(existing, { isConfirmed, usesFolder: isPlaced });
  return read.map(({ source, servers }) => {
    const firstStep = plan.steps.length;
    for (const server of servers) plan.add(source.client, server);
    return { source, servers, steps: plan.steps.slice(firstStep) };
  });
}

/** Plans a takeover, which excludes servers that mcpmux cannot run. */
export function plannedTakeover(
  context: CommandContext,
  location: ConfigLocation,
  before: string,
  planFor: (text: string) => readonly PlannedSource[],
): readonly PlannedSource[] {
  const sources = planFor(before);
  const mergedText = withServers(
    location.file,
    before,
    sources.flatMap(({ steps }) => steps),
  );
  return sources.map(({ source, servers, steps }) => ({
    source,
    servers,
    steps: takeoverSteps(steps, location, mergedText, context),
  }));
}

/** Returns the text of the config with the new servers. */
export function withServers(file: string, before: string, steps: readonly ImportStep[]): string {
  return steps.reduce(
    (text, { as, entry }) =>
      as === undefined || entry === undefined ? text : editedConfig(file, text, ['mcpServers', as], entry),
    before,
  );
}
