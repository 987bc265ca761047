import { spawn } from 'node:child_process';
import process from 'node:process';

/** The program of each system that opens a file or a URL, and the arguments before the file or URL. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` would interpret an ampersand in the URL as the end of its command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a file or a URL in the user's browser. If no browser opens, the person can use the printed link. */
export function openBrowser(target: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
