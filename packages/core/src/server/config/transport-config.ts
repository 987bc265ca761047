import { isRecord } from '@mcpmux/kit';
import type { SdkTransport } from '@mcpmux/wire';
import type { StreamConfig, TransportConfig } from './server-config.js';

const TRANSPORT_METHODS = ['start', 'send', 'close'] as const;
const ALREADY_USED =
  'its transport has served a run already. Pass addServer a function that makes a transport for each run';
const NOT_A_TRANSPORT = 'its transport has no start, send and close, as the transports of the MCP SDK have';

/** True if `transport` is an SDK transport or a function that creates one. For a server at a URL, it is a string. */
export function isTransportConfig(config: unknown): config is TransportConfig {
  if (!isRecord(config)) return false;
  const { transport } = config;
  return typeof transport === 'function' || isRecord(transport);
}

/** Converts the configuration to a {@link StreamConfig}. */
export function streamConfigOf(name: string, { transport, ...settings }: TransportConfig): StreamConfig {
  const isOnceOnly = typeof transport !== 'function';
  const make = isOnceOnly ? singleUseTransport(transport) : transport;
  return {
    ...settings,
    isOnceOnly,
    address: `in-process:${encodeURIComponent(name)}`,
    open: async () => {
      const created: unknown = await make();
      if (!isTransport(created)) throw new Error(NOT_A_TRANSPORT);
      return created;
    },
    advice: 'Its host has made the connection.',
  };
}

function singleUseTransport(transport: SdkTransport): () => SdkTransport {
  let isUsed = false;
  return () => {
    if (isUsed) throw new Error(ALREADY_USED);
    isUsed = true;
    return transport;
  };
}

/** Checks the type at run time, because a host written in JavaScript may pass any value. */
function isTransport(value: unknown): value is SdkTransport {
  return isRecord(value) && TRANSPORT_METHODS.every((method) => typeof value[method] === 'function');
}
