/** Derives a server name for a config from a registry name, such as `files` from `io.github.user/mcp-server-files`. */
export function localName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const shortName = last
    .replace(/^(?:mcp-server-|server-|mcp-)/, '')
    .replace(/(?:-mcp-server|-mcp|-server)$/, '');
  return (shortName === '' ? last : shortName).replaceAll(/_{2,}/g, '-').replaceAll(/[^\w-]/g, '-');
}
