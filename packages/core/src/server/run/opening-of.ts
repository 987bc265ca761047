import { withoutDenied } from '../dialect/client-requests.js';
import type { OpeningInit } from '../dialect/server-dialect.js';
import type { Layer } from '../config/layer.js';
import { isRemote, type AnyServerConfig } from '../config/server-config.js';
import type { RunComponents } from './run-components.js';

/** The server that is opened, and where it is registered. */
interface Opened {
  readonly config: AnyServerConfig;
  readonly layer: Layer;
}

/** How a run of a server is opened, as far as its configuration and its clients decide. */
export function openingOf(
  { config, layer }: Opened,
  parts: Pick<RunComponents, 'clientProfile' | 'verdicts' | 'firstEra' | 'protocol'>,
): Pick<OpeningInit, 'as' | 'only' | 'first' | 'learned'> {
  const { clientProfile, verdicts, firstEra, protocol } = parts;
  // The deprecated transport has no modern era.
  const isOld = isRemote(config) && config.transport === 'sse';
  const only = isOld ? 'legacy' : (config.protocol ?? protocol);
  return {
    as: withoutDenied(clientProfile(layer), config.denyRequests ?? []),
    only: only === 'auto' ? undefined : only,
    first: verdicts.of(config) ?? firstEra(layer),
    learned: (era) => verdicts.learn(config, era),
  };
}
