/** Returns the name that a registry's server gets in a config: `files` for `io.github.user/mcp-server-files`. */
export function localName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const short = last
    .replace(/^(?:mcp-server-|server-|mcp-)/, '')
    .replace(/(?:-mcp-server|-mcp|-server)$/, '');
  return (short === '' ? last : short).replaceAll(/_{2,}/g, '-').replaceAll(/[^\w-]/g, '-');
}
