import { watch } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';

import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { VERSION } from '../base/version.js';
import { writeErr } from '../base/terminal-output.js';

/** A change of several files at once is read once. */
const SETTLED_MS = 200;

/**
 * Serves a folder of skills on stdin and stdout, as the Skills extension of MCP defines it (SEP-2640). Reads the folder
 * again when a file changes. Resolves when the client has gone.
 *
 * @throws the error of the file system for a folder that cannot be read
 */
export async function serveSkills(folder: string): Promise<void> {
  const onWarning = ({ path, message }: { readonly path: string; readonly message: string }): void =>
    writeErr(`mcpmux: ${path}: ${message}\n`);
  const skills = await loadSkills(folder, { onWarning });
  const ended = new Promise((resolve) => process.stdin.once('close', resolve));
  const handle = serveStdio(() => {
    const server = new McpServer({ name: basename(folder), version: VERSION });
    skills.attach(server);
    return server;
  });
  const stop = onChange(folder, () => {
    skills.reload().catch((error: unknown) => writeErr(`mcpmux: ${String(error)}\n`));
  });
  await ended;
  stop();
  await handle.close();
}

/** Calls `changed` after changes below a folder. Returns the function that ends this. */
function onChange(folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLED_MS);
  });
  // A folder that is deleted keeps the skills that it had.
  watcher.on('error', () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
