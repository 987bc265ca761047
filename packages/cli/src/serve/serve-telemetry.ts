import type { Mux } from '@mcpmux/core';

const MISSING =
  '--telemetry needs the package @opentelemetry/api where mcpmux is installed, and an SDK: ' +
  "npm install @mcpmux/cli @opentelemetry/api @opentelemetry/auto-instrumentations-node, and start mcpmux with NODE_OPTIONS='--import @opentelemetry/auto-instrumentations-node/register'.";

/**
 * Records every request with OpenTelemetry, which is not part of mcpmux. Returns an error if OpenTelemetry is not
 * installed.
 */
export async function useTelemetry(mux: Pick<Mux, 'use'>): Promise<string | undefined> {
  try {
    const { telemetry } = await import('@mcpmux/core/telemetry');
    mux.use(telemetry());
    return undefined;
  } catch (error) {
    if (isNotInstalled(error)) return MISSING;
    throw error;
  }
}

/**
 * True if an import failed because the package is not installed. `import` and `require`, which the bundle may use
 * instead, fail with different codes.
 */
function isNotInstalled(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
}
