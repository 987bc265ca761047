/** The address of a page that a server wants its user to visit, in the parts that the user is to see. */
export interface WebAddress {
  readonly href: string;
  readonly before: string;
  /** Host and port, in ASCII: letters of other scripts that look like ASCII are recognizable. */
  readonly host: string;
  readonly after: string;
}

/** Reads an address; undefined for one that is no address of http or https, or that brings a user name. */
export function webAddress(text: string): WebAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol, host, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // https://bank.example@evil.example/ leads to evil.example, and reads as the bank.
  if (!isWeb || username !== '' || password !== '') return undefined;
  const before = `${protocol}//`;
  return { href, before, host, after: href.slice(before.length + host.length) };
}
