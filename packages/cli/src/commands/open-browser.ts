import { spawn } from 'node:child_process';
import process from 'node:process';

/** The program of each system that opens a file or a url, and its arguments before these. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` would read an ampersand of the url as the end of its command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a file or a url in the browser of the user. Where no browser opens, the printed link is left. */
export function openBrowser(target: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
