import { endpointOf, type JsonObject } from '@mcpmux/clients';

import { warning, type Finding } from './finding.js';

/** A config file and its server entries, as written in the file. */
export interface RawConfig {
  readonly file: string;
  readonly servers: readonly (readonly [name: string, entry: JsonObject])[];
}

/** Warns about servers that another project or user config also contains, because mcpmux uses only one config. */
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
