import { secretsOf } from '../process/environment.js';
import { remoteTarget, secretsOfTarget } from '../remote/remote-target.js';
import { isRemote, type ServerConfig } from './server-config.js';

/** The values of a configuration that nobody should read in what mcpmux shows. */
export function secretsOfConfig(config: ServerConfig): readonly string[] {
  if (!isRemote(config)) return secretsOf(config.env ?? {});
  try {
    return secretsOfTarget(remoteTarget(config.url, config.headers));
  } catch {
    // Such a server never starts; what is wrong with it is told without any value.
    return Object.values(config.headers ?? {});
  }
}
