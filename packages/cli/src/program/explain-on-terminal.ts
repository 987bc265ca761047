import { writeStderr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

const EXPLANATION = `mcpmux is an MCP server for agents: it speaks JSON-RPC on stdin and stdout, so
there is nothing to see in a terminal. The agent adds, reloads and removes MCP
servers itself, once mcpmux is registered in its client:

  mcpmux install    register mcpmux in your clients, after showing the changes;
                    for one: claude mcp add mcpmux -- npx -y @mcpmux/cli
  mcpmux init       make a config of your own; then mcpmux import, add, list
  mcpmux doctor     find what keeps servers from working
  mcpmux --help     all commands
  mcpmux serve      serve here all the same, and type JSON-RPC yourself
`;

/** Explains mcpmux to a person who starts it in a terminal, where no client would send JSON-RPC. */
export async function explainOnTerminal(): Promise<number> {
  const { describeState } = await import('./state-here.js');
  writeStderr(`${EXPLANATION}\n${describeState()}\n`);
  return ExitCode.Ok;
}
