/** The address of a page that a server wants the user to visit, split for display. */
export interface WebAddress {
  readonly href: string;
  readonly before: string;
  /** Host and port in ASCII, so that letters of other scripts that look like ASCII are recognizable. */
  readonly host: string;
  readonly after: string;
}

/**
 * Parses an address. Returns undefined if the address does not use http or https, or if it contains a user name or
 * password.
 */
export function webAddress(text: string): WebAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol, host, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // https://bank.example@evil.example/ opens evil.example, but looks like the bank.
  if (!isWeb || username !== '' || password !== '') return undefined;
  const before = `${protocol}//`;
  return { href, before, host, after: href.slice(before.length + host.length) };
}
