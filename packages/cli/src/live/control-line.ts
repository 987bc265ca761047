/** Commands over an instance's socket beside MCP: the first line is one of these instead of a JSON-RPC message. */
export const CONTROL = {
  /** From then on each event of the mux is a line. */
  events: '{"mcpmux":"events"}',
  /** Reads the config again; the answer is one line. */
  reloadConfig: '{"mcpmux":"reload-config"}',
  /** What was called so far, by server; the answer is one line. */
  calls: '{"mcpmux":"calls"}',
} as const;

/** A command of {@link CONTROL}. */
export type ControlCommand = keyof typeof CONTROL;

/** The command that a first line is; undefined when it begins an MCP session. */
export function controlCommand(line: string): ControlCommand | undefined {
  const commands = ['events', 'reloadConfig', 'calls'] as const;
  return commands.find((command) => CONTROL[command] === line);
}
