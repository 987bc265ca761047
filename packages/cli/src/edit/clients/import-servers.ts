import type { ConfigLocation } from '@mcpmux/config/find';

import { configServers } from '../../config/config-choice.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { editedConfigText } from '../write-config.js';
import { ImportPlan, type FolderRules, type ImportStep, type PlannedSource } from './import-plan.js';
import { takeoverSteps } from './takeover.js';

/** Plans the import of each source's servers into a config whose current text is `text`. */
export function planImport(
  { cwd }: CommandContext,
  location: ConfigLocation,
  text: string,
  {
    sources,
    isConfirmed,
  }: { readonly sources: readonly Omit<PlannedSource, 'steps'>[] } & Pick<FolderRules, 'isConfirmed'>,
): readonly PlannedSource[] {
  const { reading, valueOf } = configServers(location, text);
  const existing = reading.entries.map(({ name, path }) => [name, valueOf(path)] as const);
  const isPlaced = location.origin !== 'project' || location.folder !== cwd;
  const plan = new ImportPlan(existing, { isConfirmed, rewritesPaths: isPlaced });
  return sources.map(({ source, servers }) => {
    const firstStepIndex = plan.steps.length;
    for (const server of servers) plan.addServer(source.client, server);
    return { source, servers, steps: plan.steps.slice(firstStepIndex) };
  });
}

/** Plans a takeover: an import that leaves a server in its client if mcpmux cannot run it. */
export function planTakeover(
  context: CommandContext,
  location: ConfigLocation,
  before: string,
  planFor: (text: string) => readonly PlannedSource[],
): readonly PlannedSource[] {
  const sources = planFor(before);
  const mergedText = withImportedServers(
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

/** Returns the config's text with the imported servers added. */
export function withImportedServers(file: string, before: string, steps: readonly ImportStep[]): string {
  return steps.reduce(
    (text, { configName, entry }) =>
      configName === undefined || entry === undefined
        ? text
        : editedConfigText(file, text, ['mcpServers', configName], entry),
    before,
  );
}
