import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

const hasPython = spawnSync('python3', ['--version']).status === 0;

const PYTHON_SERVER = `
import json
import sys

TOOL = {"name": "shout", "description": "Ruft.", "inputSchema": {"type": "object"}}


def result(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "python", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    text = params["arguments"]["text"].upper()
    return {"content": [{"type": "text", "text": text}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = result(message["method"], message.get("params", {}))
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
`;

const SHELL_SERVER = `
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"hi","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"hi from sh"}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
`;

it('M12: a server can be a Python program', async ({ skip }) => {
  skip(!hasPython, 'python3 is not on this machine');
  await using folder = await temporaryFolder();
  await using rig = await MuxRig.open();
  const program = join(folder.path, 'server.py');
  await writeFile(program, PYTHON_SERVER);
  const { tools } = await rig.client.manage('add_server', {
    name: 'py',
    command: 'python3',
    args: [program],
    // Otherwise, Python uses the Windows code page.
    env: { PYTHONUTF8: '1' },
  });
  expect(tools).toMatchObject([{ name: 'py__shout', description: 'Ruft.' }]);
  const { result } = await rig.client.call('py__shout', { text: 'größe 日本' });
  expect(textOf(result)).toBe('GRÖSSE 日本');
});

// Windows has no sh; windows.e2e.test.ts has the batch files
it.skipIf(process.platform === 'win32')('M12: a server can be a shell script', async () => {
  await using rig = await MuxRig.open();
  await rig.client.manage('add_server', { name: 'sh', command: 'sh', args: ['-c', SHELL_SERVER] });
  const { result } = await rig.client.call('sh__hi');
  expect(textOf(result)).toBe('hi from sh');
});
