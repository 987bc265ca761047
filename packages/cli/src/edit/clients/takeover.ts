import { readFileSync } from 'node:fs';

import { decodedText, withEntry } from '@mcpmux/clients';
import { type ConfigContext, formatPath, loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import type { CommandContext } from '../../terminal/command-context.js';
import type { ClientChange } from './client-change.js';
import { configServers } from '../../config/config-choice.js';
import type { ImportStep, PlannedSource } from './import-plan.js';
import { registrationChange } from './registered-client.js';

/**
 * Changes a step's result to `left` if mcpmux cannot run the server, so that the server stays in its client.
 *
 * @param text the config's text after all steps
 */
export function takeoverSteps(
  steps: readonly ImportStep[],
  location: ConfigLocation,
  text: string,
  context: ConfigContext,
): readonly ImportStep[] {
  if (steps.every(({ configName }) => configName === undefined)) return steps;
  const { entries } = configServers(location, text).reading;
  const loaded = loadConfig(location, context, (path) =>
    path === location.file ? text : decodedText(readFileSync(path)),
  );
  return steps.map((step) => {
    const entry = entries.find(
      ({ name, path }) => name === step.configName || path.at(-1) === step.configName,
    );
    const reason = entry === undefined ? undefined : runProblem(loaded, entry);
    return reason === undefined ? step : unmovedStep(step, reason);
  });
}

/**
 * Returns the changes that replace the moved servers with mcpmux in their clients' files. Leaves other servers there.
 */
export async function takeoverChanges(
  context: CommandContext,
  sources: readonly PlannedSource[],
): Promise<readonly ClientChange[]> {
  const changes: ClientChange[] = [];
  for (const { source, steps } of sources) {
    const movedSteps = steps.filter(({ result }) => result === 'added' || result === 'same');
    if (movedSteps.length === 0) continue;
    let { text } = source;
    for (const { path } of movedSteps) text = await withEntry({ ...source, text }, path, undefined);
    const change = await registrationChange(context, { ...source, text }, {});
    changes.push({ source, newText: change?.newText ?? text });
  }
  return changes;
}

function unmovedStep({ client, name, path }: ImportStep, reason: string): ImportStep {
  return { client, name, path, result: 'left', reason };
}

/** Returns the reason why mcpmux cannot run a server, or undefined if the server is usable or disabled. */
function runProblem(
  { servers, problems }: LoadedConfig,
  { name, path }: { readonly name: string; readonly path: readonly (string | number)[] },
): string | undefined {
  if (servers.find((server) => server.name === name)?.status !== 'misconfigured') return undefined;
  const prefix = formatPath(path);
  const reasons = problems.filter(
    (problem) => problem.severity === 'error' && isPathWithin(problem.path, prefix),
  );
  return reasons.map(({ message }) => message).join('; ') || 'the server is misconfigured';
}

function isPathWithin(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
}
