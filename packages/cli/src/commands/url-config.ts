import type { LoadedConfig } from '@mcpmux/config';

import { nameOfUrl } from './package-source.js';

/** True for a server at a url in place of the name of a server. */
export function isUrl(word: string | undefined): word is string {
  return word !== undefined && /^https?:\/\//.test(word) && URL.canParse(word);
}

/** A config with the server at a url alone, which is in no file. */
export function urlConfig(url: string): { readonly config: LoadedConfig; readonly name: string } {
  const name = nameOfUrl(url) || 'url';
  const server = { status: 'ready', name, config: { url, login: true }, isRequired: false } as const;
  const config = {
    file: url,
    isUsable: true,
    isShared: false,
    servers: [server],
    profiles: {},
    problems: [],
  };
  return { name, config };
}
