/**
 * Returns an issuer in a normal form. An issuer without a path and an issuer with the path "/" are the same (RFC 3986,
 * 6.2.3).
 */
export function soundIssuer(issuer: string): string {
  if (!issuer.endsWith('/') || !URL.canParse(issuer)) return issuer;
  const { pathname, search, hash } = new URL(issuer);
  return pathname === '/' && search === '' && hash === '' ? issuer.slice(0, -1) : issuer;
}
