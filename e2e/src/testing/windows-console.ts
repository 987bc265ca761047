import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { CLI } from './built-cli.js';
import { Terminal } from './terminal.js';

/** The title of the situation that needs a console, which no program of Windows has here: a terminal of Linux is one. */
export const PRESSED_CTRL_C = 'Ctrl-C, pressed in a console: the tree is gone, and the exit code is 130';
/** How long the last process of a tree may be seen after mcpmux. */
const GONE_MS = 10_000;

/** A Node.js under Wine. */
export interface Console {
  readonly folder: string;
  readonly seen: (path: string) => string;
  readonly node: string;
  readonly server: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Presses Ctrl-C while mcpmux serves over HTTP. Throws an error if it does not end as the title says. */
export async function pressCtrlC({ folder, seen, node, server, env }: Console): Promise<void> {
  const mark = `--mark=${basename(folder)}`;
  const config = join(folder, 'console.json');
  const a = { command: seen(node), args: [server, '--stay', '--tree', '--tree', mark] };
  await writeFile(config, JSON.stringify({ mcpServers: { a } }));
  const words = ['wine', node, seen(CLI), 'serve', '--http', '127.0.0.1:0', '--config', seen(config)];
  await using terminal = new Terminal(words, { cwd: folder, env, columns: 200 });
  await terminal.until('the servers of the config are ready');
  const began = running(mark);
  if (began !== 3) throw new Error(`the tree has ${began} processes:\n${terminal.screen}`);
  terminal.type('\u0003');
  const { code, text } = await terminal.end();
  if (code !== 130) throw new Error(`the exit code is ${code}:\n${text}`);
  await untilGone(mark);
}

async function untilGone(mark: string): Promise<void> {
  for (const end = Date.now() + GONE_MS; running(mark) > 0;) {
    if (Date.now() > end) throw new Error(`${running(mark)} processes still run`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The number of processes that have an argument. */
function running(mark: string): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLine(name).includes(mark)).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
