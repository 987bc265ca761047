import { spawn } from 'node:child_process';
import process from 'node:process';

/** The program of each system that opens a url, and its arguments before the url. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` would read an ampersand of the url as the end of its command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a url in the browser of the user. Where no browser opens, the printed link is left. */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
