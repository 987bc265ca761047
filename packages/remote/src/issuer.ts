/** Normalizes an issuer. An empty path and the path "/" are equivalent (RFC 3986, 6.2.3). */
export function normalizeIssuer(issuer: string): string {
  if (!issuer.endsWith('/') || !URL.canParse(issuer)) return issuer;
  const { pathname, search, hash } = new URL(issuer);
  return pathname === '/' && search === '' && hash === '' ? issuer.slice(0, -1) : issuer;
}
