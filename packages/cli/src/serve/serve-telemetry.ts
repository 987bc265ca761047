import type { Mux } from '@mcpmux/core';

const MISSING_PACKAGE_MESSAGE =
  '--telemetry needs the package @opentelemetry/api where mcpmux is installed, and an SDK: ' +
  "npm install @mcpmux/cli @opentelemetry/api @opentelemetry/auto-instrumentations-node, and start mcpmux with NODE_OPTIONS='--import @opentelemetry/auto-instrumentations-node/register'.";

/** Records all requests with OpenTelemetry, an optional package. Returns an error message if it is not installed. */
export async function useTelemetry(mux: Pick<Mux, 'use'>): Promise<string | undefined> {
  try {
    const { telemetry } = await import('@mcpmux/core/telemetry');
    mux.use(telemetry());
    return undefined;
  } catch (error) {
    if (isNotInstalled(error)) return MISSING_PACKAGE_MESSAGE;
    throw error;
  }
}

/** True if a package is not installed. The error code depends on whether the bundle uses `import` or `require`. */
function isNotInstalled(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
}
