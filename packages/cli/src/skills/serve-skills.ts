import { watch } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';

import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { VERSION } from '../base/version.js';
import { writeStderr } from '../base/terminal-output.js';

/** How long to wait after a change, in milliseconds, so that one reload covers changes to several files. */
const RELOAD_DELAY_MS = 200;

/**
 * Serves a folder of skills on stdin and stdout with MCP's Skills extension (SEP-2640). Reloads the folder when a file
 * changes. Resolves when the client disconnects.
 *
 * @throws a file system error if the folder cannot be read
 */
export async function serveSkills(folder: string): Promise<void> {
  const onWarning = ({ path, message }: { readonly path: string; readonly message: string }): void =>
    writeStderr(`mcpmux: ${path}: ${message}\n`);
  const skills = await loadSkills(folder, { onWarning });
  const ended = new Promise((resolve) => process.stdin.once('close', resolve));
  const stdioServer = serveStdio(() => {
    const server = new McpServer({ name: basename(folder), version: VERSION });
    skills.attach(server);
    return server;
  });
  const stopWatching = watchFolder(folder, () => {
    skills.reload().catch((error: unknown) => writeStderr(`mcpmux: ${String(error)}\n`));
  });
  await ended;
  stopWatching();
  await stdioServer.close();
}

/** Calls `onChange` once after a series of changes in a folder. Returns a function that stops watching. */
function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, RELOAD_DELAY_MS);
  });
  // If the folder is deleted, the skills already loaded are still served.
  watcher.on('error', () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
