/** Commands over an instance's socket beside MCP: the first line is one of these instead of a JSON-RPC message. */
export const CONTROL = {
  /** From then on each event of the mux is a line. */
  events: '{"mcpmux":"events"}',
  /** Reads the config again; the answer is one line. */
  reloadConfig: '{"mcpmux":"reload-config"}',
} as const;

/** A command of {@link CONTROL}. */
export type ControlCommand = keyof typeof CONTROL;

/** The command that a first line is; undefined when it begins an MCP session. */
export function controlCommand(line: string): ControlCommand | undefined {
  if (line === CONTROL.events) return 'events';
  return line === CONTROL.reloadConfig ? 'reloadConfig' : undefined;
}
