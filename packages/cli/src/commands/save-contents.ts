import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { contentBlocks } from '@mcpmux/core';

import { isMade, type WriteContents } from '../files/exclusive-file.js';

const ENDINGS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};

/**
 * Writes the images, sounds and files of a result into a folder. No file is replaced. The server chooses the names and
 * types, which may contain anything. Only their letters, digits, `-` and `_` are used in file names. A file gets its
 * final name when it is completely written.
 *
 * @returns the paths of the files
 * @throws the error of the file system
 */
export function saveContents(
  result: JsonObject,
  folder: string,
  tool: string,
  write?: WriteContents,
): readonly string[] {
  return contentBlocks(result).flatMap((block) => {
    const { data, mimeType } = binaryOf(block);
    if (typeof data !== 'string') return [];
    const place = { folder: resolve(folder), begin: `${safe(tool)}-`, ending: endingOf(mimeType) };
    return [written(place, Buffer.from(data, 'base64'), write)];
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

/** A file's folder, and the file's name without its number. */
interface Place {
  readonly folder: string;
  readonly begin: string;
  readonly ending: string;
}

function written(place: Place, bytes: Buffer, write?: WriteContents): string {
  const { folder, begin } = place;
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `${begin}${randomBytes(6).toString('hex')}.tmp`);
  try {
    isMade(temporary, bytes, write);
    const file = reserved(place);
    renameSync(temporary, file);
    return file;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Creates an empty file with the first free number. A rename without this step would replace a file of another program.
 */
function reserved({ folder, begin, ending }: Place): string {
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${begin}${number}.${ending}`);
    if (isMade(file, '')) return file;
  }
}
