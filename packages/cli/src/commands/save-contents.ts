import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { contentBlocks } from '@mcpmux/core';

import { tryCreateFile, type WriteContents } from '../files/exclusive-file.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};

/**
 * Writes a result's images, audio and files into a folder without replacing existing files. The server chooses the tool
 * name and the MIME types, so file names contain only the letters, digits, `-` and `_` from them. A file gets its final
 * name only after it is completely written.
 *
 * @returns the paths of the written files
 * @throws a file system error
 */
export function saveContents(
  result: JsonObject,
  folder: string,
  tool: string,
  writeContents?: WriteContents,
): readonly string[] {
  return contentBlocks(result).flatMap((block) => {
    const { data, mimeType } = binaryContentOf(block);
    if (typeof data !== 'string') return [];
    const fileName = {
      folder: resolve(folder),
      prefix: `${fileNamePart(tool)}-`,
      extension: extensionFor(mimeType),
    };
    return [writeNumberedFile(fileName, Buffer.from(data, 'base64'), writeContents)];
  });
}

function binaryContentOf({ data, mimeType, resource }: JsonObject): {
  readonly data: unknown;
  readonly mimeType: unknown;
} {
  return isObject(resource) ? { data: resource['blob'], mimeType: resource['mimeType'] } : { data, mimeType };
}

function extensionFor(mimeType: unknown): string {
  if (typeof mimeType !== 'string') return 'bin';
  return EXTENSIONS[mimeType] ?? (fileNamePart(mimeType.split(/[/;]/)[1] ?? '') || 'bin');
}

function fileNamePart(text: string): string {
  return text.replaceAll(/[^\w-]/g, '').slice(0, 100);
}

/** A path such as `FOLDER/PREFIX1.EXTENSION`, whose number is not chosen yet. */
interface NumberedFile {
  readonly folder: string;
  readonly prefix: string;
  readonly extension: string;
}

function writeNumberedFile(fileName: NumberedFile, bytes: Buffer, write?: WriteContents): string {
  const { folder, prefix } = fileName;
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `${prefix}${randomBytes(6).toString('hex')}.tmp`);
  try {
    tryCreateFile(temporary, bytes, write);
    const file = reserveFile(fileName);
    renameSync(temporary, file);
    return file;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reserves the first free number by creating an empty file, so that the later rename cannot replace another file. */
function reserveFile({ folder, prefix, extension }: NumberedFile): string {
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${prefix}${number}.${extension}`);
    if (tryCreateFile(file, '')) return file;
  }
}
