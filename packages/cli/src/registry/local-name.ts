/** Derives a server's config name from its registry name, such as `files` from `io.github.user/mcp-server-files`. */
export function localServerName(name: string): string {
  const lastSegment = name.slice(name.lastIndexOf('/') + 1);
  const shortName = lastSegment
    .replace(/^(?:mcp-server-|server-|mcp-)/, '')
    .replace(/(?:-mcp-server|-mcp|-server)$/, '');
  return (shortName === '' ? lastSegment : shortName).replaceAll(/_{2,}/g, '-').replaceAll(/[^\w-]/g, '-');
}
