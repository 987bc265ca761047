// The chunks that the built command loads before it answers a client.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const HOOK = fileURLToPath(new URL('loaded-files.cjs', import.meta.url));
const STARTS = 5;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'chunks', version: '1' },
  },
};

/**
 * Starts `serve` without a config and without a log, whose printer is loaded at the same time as the answer is written,
 * and returns the chunks and the built-in modules that it has loaded when the answer to `initialize` arrives. This process
 * may see the answer late, when the command has loaded more: the start with the fewest of both counts.
 */
export async function loadedAtStart(program, chunks) {
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await filesAtStart(program));
  const [fewest] = starts.toSorted((left, right) => left.length - right.length);
  const names = new Set(fewest.map((file) => basename(file)));
  return {
    start: chunks.filter(({ file }) => names.has(file)),
    builtins: [...new Set(fewest.filter((file) => isBuiltin(file)))].toSorted((a, b) => a.localeCompare(b)),
  };
}

async function filesAtStart(program) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-chunks-'));
  const list = join(folder, 'loaded');
  const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, LOADED_FILES: list };
  const child = spawn(process.execPath, ['--require', HOOK, program, 'serve', '--log-level', 'error'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const answered = once(child.stdout, 'data').then(() => readFileSync(list, 'utf8'));
    const text = await Promise.race([answered, exited.then(() => null)]);
    if (text === null) throw new Error('serve ended before it answered initialize');
    return text.trim().split('\n');
  } finally {
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true });
  }
}
