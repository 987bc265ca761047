/** Carried by every process that mcpmux starts, and by its descendants: `{instance id}:{run id}`. */
export const MARKER_VARIABLE = 'MCPMUX_CHILD';

/**
 * The environment of a server: mcpmux's own, with the server's `env` merged over it, and the marker by which
 * descendants that left the process group are found again.
 */
export function serverEnvironment(
  inherited: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  marker: string,
): NodeJS.ProcessEnv {
  return { ...inherited, ...own, [MARKER_VARIABLE]: marker };
}
