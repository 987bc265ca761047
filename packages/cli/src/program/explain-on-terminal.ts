import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

const EXPLANATION = `mcpmux is an MCP server for agents: it speaks JSON-RPC on stdin and stdout, so there is nothing to
see in a terminal. Register it in your client, for example:

  claude mcp add --scope user mcpmux -- npx -y @mcpmux/cli
  codex mcp add mcpmux -- npx -y @mcpmux/cli
  gemini mcp add --scope user mcpmux npx -y @mcpmux/cli
  code --add-mcp '{"name":"mcpmux","command":"npx","args":["-y","@mcpmux/cli"]}'

The agent can then add, reload and remove MCP servers itself, with the tools add_server, reload_server,
remove_server and list_servers, and find and call their tools with search_tools and call_tool.

  mcpmux init       make a config of your own; then mcpmux import, add, list, doctor, install
  mcpmux --help     all commands and options
  mcpmux serve      serve here all the same, and type JSON-RPC yourself
`;

/** Explains mcpmux to a person at a terminal, instead of waiting for input that never comes. */
export function explainOnTerminal(): number {
  writeErr(EXPLANATION);
  return ExitCode.Ok;
}
