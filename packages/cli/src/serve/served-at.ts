/** The lines for stderr: the URLs that are served. */
export function servedAt(url: string, sse: boolean): string {
  const deprecated = `mcpmux: serving the transport of 2024-11-05 at ${new URL('/sse', url).href}\n`;
  return `mcpmux: serving MCP at ${url}\n${sse ? deprecated : ''}`;
}
