import { endpointOf, type JsonObject } from '@mcpmux/clients';

import { warning, type Finding } from './finding.js';

/** A config and its servers, as written. */
export interface RawConfig {
  readonly file: string;
  readonly servers: readonly (readonly [name: string, entry: JsonObject])[];
}

/** Warns about servers that are also in another project or user config, because mcpmux ignores those configs. */
export function checkOtherConfigs(used: RawConfig, others: readonly RawConfig[]): readonly Finding[] {
  const names = new Set(used.servers.map(([name]) => name));
  const endpoints = new Set(used.servers.map(([, entry]) => endpointOf(entry)));
  return others.flatMap(({ file, servers }): readonly Finding[] => {
    const duplicates = servers.filter(([name, entry]) => names.has(name) || endpoints.has(endpointOf(entry)));
    if (duplicates.length === 0) return [];
    const message = `${file} has ${duplicates.map(([name]) => name).join(', ')} too. Only ${used.file} is used, and nothing is merged`;
    return [warning('config', message, 'keep each server in one config')];
  });
}
