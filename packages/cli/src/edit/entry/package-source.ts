import type { JsonObject } from '@mcpmux/clients';

import { usageError } from '../../terminal/command-error.js';

const PACKAGE_SOURCE = /^(?<kind>npm|pypi|oci):(?<id>.*)$/;

/** True if a command line names a package, as `npm:PACKAGE` or `NAME npm:PACKAGE`. */
export function refersToPackage([first = '', second = '']: readonly string[]): boolean {
  return PACKAGE_SOURCE.test(first) || PACKAGE_SOURCE.test(second);
}

/** Returns a server name and an entry for `npm:PACKAGE`, `pypi:PACKAGE` or `oci:IMAGE`, or undefined for other text. */
export function packageSource(
  text: string,
  args: readonly string[] = [],
): { readonly name: string; readonly entry: JsonObject } | undefined {
  const { kind, id } = PACKAGE_SOURCE.exec(text)?.groups ?? {};
  if (kind === undefined || id === undefined) return undefined;
  if (id === '')
    throw usageError(`"${text}" names no package.`, `write ${text}${kind === 'oci' ? 'IMAGE' : 'PACKAGE'}`);
  const name = serverNameFor(id);
  if (kind === 'npm') return { name, entry: { command: 'npx', args: ['-y', id, ...args] } };
  if (kind === 'pypi') return { name, entry: { command: 'uvx', args: [id, ...args] } };
  return { name, entry: { command: 'docker', args: ['run', '-i', '--rm', id, ...args] } };
}

/** Derives a server name from a package or image, such as `memory` from `@modelcontextprotocol/server-memory@1.2`. */
function serverNameFor(id: string): string {
  const last = id.slice(id.lastIndexOf('/') + 1);
  const withoutVersion = last.replace(/[@:=].*$/, '');
  const shortName = withoutVersion
    .replace(/^(?:mcp-server-|server-|mcp-)/, '')
    .replace(/(?:-mcp-server|-mcp|-server)$/, '');
  return shortName.replaceAll(/_{2,}/g, '-').replaceAll(/[^\w-]/g, '-') || withoutVersion;
}
