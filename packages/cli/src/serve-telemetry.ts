import type { Mux } from '@mcpmux/core';

const MISSING =
  '--telemetry needs the package @opentelemetry/api where mcpmux is installed, and an SDK: ' +
  "npm install @mcpmux/cli @opentelemetry/api @opentelemetry/auto-instrumentations-node, and start it with NODE_OPTIONS='--import @opentelemetry/auto-instrumentations-node/register'.";

/** Has every request recorded with OpenTelemetry, which is no part of mcpmux. Returns what is missing for it. */
export async function useTelemetry(mux: Pick<Mux, 'use'>): Promise<string | undefined> {
  try {
    const { telemetry } = await import('@mcpmux/core/telemetry');
    mux.use(telemetry());
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return MISSING;
    throw error;
  }
}
