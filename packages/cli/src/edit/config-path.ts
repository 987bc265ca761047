import { parsedJson } from '@mcpmux/core';

/** A path in a config. Its text form is `mcpServers.github.env` or `mcpServers["a.b"].args[0]`. */
export type ConfigPath = readonly (string | number)[];

const SEGMENT = /\.?(?:(?<name>[\w$-]+)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\])/y;

/** Parses a path into its parts. Returns undefined if the text is not a valid path. */
export function parseConfigPath(text: string): ConfigPath | undefined {
  const parts: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const isFirst = SEGMENT.lastIndex === 0;
    const groups = SEGMENT.exec(text)?.groups;
    if (groups === undefined || (isFirst && text.startsWith('.'))) return undefined;
    const { name, index, quoted } = groups;
    const key = quoted === undefined ? name : unquoted(quoted);
    if (key === undefined && index === undefined) return undefined;
    parts.push(key ?? Number(index));
  }
  return parts.length === 0 ? undefined : parts;
}

function unquoted(text: string): string | undefined {
  const value = parsedJson(text);
  return typeof value === 'string' ? value : undefined;
}
