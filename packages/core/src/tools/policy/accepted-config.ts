import { isLocalHost } from '../../remote/public-address.js';
import { isRemote, type ServerConfig } from '../../upstream/config/server-config.js';
import type { Admission } from './add-gate.js';

/**
 * What is registered of a server that was admitted. Who accepts a url accepts the host that he reads, and not what its
 * name leads to, now or another time: a name of the public internet must lead there.
 */
export function acceptedConfig(config: ServerConfig, { rule }: Admission): ServerConfig {
  if (!isRemote(config) || rule !== 'ask' || !URL.canParse(config.url)) return config;
  return isLocalHost(new URL(config.url)) ? config : { ...config, isPublic: true };
}
