import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { isObject, type JsonObject } from '@mcpmux/clients';

const ENDINGS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};

/**
 * Writes the images, sounds and files of a result into a folder. No file is replaced. Names and types are those of a
 * server, which may be anything: of them only letters, digits, `-` and `_` get into the name of a file.
 *
 * @returns the paths of the files
 * @throws the error of the file system
 */
export function saveContents({ content }: JsonObject, folder: string, tool: string): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.flatMap((block) => {
    const { data, mimeType } = binaryOf(block);
    if (typeof data !== 'string') return [];
    return [written(resolve(folder), `${safe(tool)}-`, endingOf(mimeType), Buffer.from(data, 'base64'))];
  });
}

function binaryOf({ data, mimeType, resource }: JsonObject): {
  readonly data: unknown;
  readonly mimeType: unknown;
} {
  return isObject(resource) ? { data: resource['blob'], mimeType: resource['mimeType'] } : { data, mimeType };
}

function endingOf(mimeType: unknown): string {
  if (typeof mimeType !== 'string') return 'bin';
  return ENDINGS[mimeType] ?? (safe(mimeType.split(/[/;]/)[1] ?? '') || 'bin');
}

function safe(text: string): string {
  return text.replaceAll(/[^\w-]/g, '').slice(0, 100);
}

function written(folder: string, begin: string, ending: string, bytes: Buffer): string {
  mkdirSync(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${begin}${number}.${ending}`);
    try {
      writeFileSync(file, bytes, { flag: 'wx' });
      return file;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
