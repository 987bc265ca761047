import type { LoadedConfig } from '@mcpmux/config';

/** True if a command-line word is a server URL rather than a server name. */
export function isUrl(word: string | undefined): word is `http${string}` {
  return word !== undefined && /^https?:\/\//.test(word) && URL.canParse(word);
}

/** Returns a config that contains only the server at a URL. Its `file` is the URL, because no config file exists. */
export function urlConfig(url: string): { readonly config: LoadedConfig; readonly name: string } {
  const name = serverNameFromUrl(url) || 'url';
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

/** Derives a server name from a URL, such as `example` from `https://mcp.example.com/mcp`. */
export function serverNameFromUrl(url: string): string {
  const labels = new URL(url).hostname.replace(/^(?:mcp|api|www)\./, '').split('.');
  return labels.length > 1 && !labels.every((label) => /^\d+$/.test(label))
    ? (labels.at(-2) ?? '')
    : labels.join('-').replaceAll(/[^\w-]/g, '-');
}
