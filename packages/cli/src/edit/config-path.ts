import { parsedJson } from '@mcpmux/core';

/** A path in a config. Its text form is `mcpServers.github.env` or `mcpServers["a.b"].args[0]`. */
export type ConfigPath = readonly (string | number)[];

const PATH_SEGMENT = /\.?(?:(?<name>[\w$-]+)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\])/y;

/** Parses a path into its keys and indexes. Returns undefined if the text is not a valid path. */
export function parseConfigPath(text: string): ConfigPath | undefined {
  const parts: (string | number)[] = [];
  PATH_SEGMENT.lastIndex = 0;
  while (PATH_SEGMENT.lastIndex < text.length) {
    const isFirst = PATH_SEGMENT.lastIndex === 0;
    const groups = PATH_SEGMENT.exec(text)?.groups;
    if (groups === undefined || (isFirst && text.startsWith('.'))) return undefined;
    const { name, index, quoted } = groups;
    const key = quoted === undefined ? name : unquote(quoted);
    if (key === undefined && index === undefined) return undefined;
    parts.push(key ?? Number(index));
  }
  return parts.length === 0 ? undefined : parts;
}

function unquote(text: string): string | undefined {
  const value = parsedJson(text);
  return typeof value === 'string' ? value : undefined;
}
