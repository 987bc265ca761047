/** An issuer in one form: without a path, and with the path "/", it is the same (RFC 3986, 6.2.3). */
export function soundIssuer(issuer: string): string {
  if (!issuer.endsWith('/') || !URL.canParse(issuer)) return issuer;
  const { pathname, search, hash } = new URL(issuer);
  return pathname === '/' && search === '' && hash === '' ? issuer.slice(0, -1) : issuer;
}
