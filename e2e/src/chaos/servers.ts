import { spawnSync } from 'node:child_process';

import { fixtureServer } from '../testing/fixture-server.js';

/** How a server is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The tools of `faulty` that make sense in any language, without the rest. */
const PYTHON = `
import json, os, sys
TOOLS = ["echo", "exit", "garbage", "damage", "stderr", "close_stdout"]
def send(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params, result = message["method"], message.get("params", {}), {}
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "py", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    elif method == "tools/call":
        tool, args = params["name"], params["arguments"]
        if tool == "exit": os._exit(args["n"])
        if tool == "close_stdout":
            os.close(1)
            continue
        if tool == "damage":
            send('{"jsonrpc":"2.0","id":%d,"result":{' % message["id"])
            continue
        if tool == "garbage": send("Traceback (most recent call last):")
        if tool == "stderr": sys.stderr.write("talking, talking, talking\\n" * args["n"])
        result = {"content": [{"type": "text", "text": args["nonce"]}]}
    send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))
`;

/** Only echoes, and leaves a sleeper behind. */
const SHELL = `
sleep 300 &
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  nonce=$(printf '%s' "$line" | sed -n 's/.*"nonce":"\\([^"]*\\)".*/\\1/p')
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) result="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$nonce\\"}]}" ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;
const node = fixtureServer('faulty');

/** The servers of a run by their names. `healthy` is left alone. */
export const SERVERS: Readonly<Record<string, Program>> = {
  healthy: node,
  node1: node,
  node2: node,
  node3: node,
  wrapped: { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', node.command, ...node.args] },
  ...(hasPython && { python: { command: 'python3', args: ['-c', PYTHON] } }),
  shell: { command: 'sh', args: ['-c', SHELL] },
  stubborn: fixtureServer('ignore-sigterm'),
};
