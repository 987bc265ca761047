import type { CommandLine } from '../managed-process.js';

const INITIALIZED =
  '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1"}}';
const TOOLS =
  '{"tools":[{"name":"noop","description":"Does nothing.","inputSchema":{"type":"object","properties":{}}}]}';

const SCRIPT = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
while IFS= read -r line; do
  id=\${line#*'"id":'}
  id=\${id%%[,\\}]*}
  case $line in
    *'"method":"initialize"'*) answer '${INITIALIZED}' ;;
    *'"method":"tools/list"'*) answer '${TOOLS}' ;;
  esac
done
`;

/** A server of one tool in the shell: a hundred of them fit into little memory. It is listed, not called. */
export const TINY_SERVER: CommandLine = { command: 'sh', args: ['-c', SCRIPT] };
