import { createWriteStream, mkdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

const MEBIBYTE = 1024 * 1024;
const MAX_FILE_BYTES = 1024 * MEBIBYTE;
const MAX_UNPACKED_BYTES = 4096 * MEBIBYTE;
const MAX_MANIFEST_BYTES = MEBIBYTE;
const MAX_ENTRIES = 200_000;

const MANIFEST_NAME = 'manifest.json';
const SIGNATURE_START = 'MCPB_SIG_V1';
const SIGNATURE_END = 'MCPB_SIG_END';
/** The length of a zip file's end-of-central-directory record without a comment. It ends with the comment's length. */
const END_RECORD_BYTES = 22;

const FILE_TYPE_MASK = 0o170000;
const SYMLINK_TYPE = 0o120000;
const EXECUTE_BITS = 0o111;

/** An MCPB bundle in memory. */
export class BundleArchive {
  private constructor(
    /** The bytes of the bundle file, including any signature. */
    readonly bytes: Buffer,
    readonly manifest: string,
  ) {}

  /**
   * Reads a bundle without unpacking it.
   *
   * @throws Error that describes the problem, or a file system error
   */
  static async open(file: string): Promise<BundleArchive> {
    if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error('it is larger than 1 GiB');
    const bytes = await readFile(file);
    for await (const { entry, open } of entriesOf(bytes)) {
      if (entry.fileName !== MANIFEST_NAME) continue;
      if (entry.uncompressedSize > MAX_MANIFEST_BYTES) throw new Error('its manifest.json is above 1 MiB');
      return new BundleArchive(bytes, (await buffer(await open())).toString('utf8'));
    }
    throw new Error('it has no manifest.json at its top');
  }

  /**
   * Unpacks all files into an existing, empty folder.
   *
   * @param program a file to make executable even without execute bits, which an archive from Windows may lack
   * @throws Error that describes the problem, or a file system error
   */
  async unpack(folder: string, program?: string): Promise<void> {
    let byteCount = 0;
    for await (const { entry, open } of entriesOf(this.bytes)) {
      const { fileName: name, uncompressedSize } = entry;
      byteCount += uncompressedSize;
      if (byteCount > MAX_UNPACKED_BYTES) throw new Error('its files are larger than 4 GiB');
      const path = pathInside(folder, name);
      const mode = entry.externalFileAttributes >>> 16;
      if ((mode & FILE_TYPE_MASK) === SYMLINK_TYPE) throw new Error(`it has a link, ${name}`);
      const isFolder = name.endsWith('/');
      mkdirSync(isFolder ? path : dirname(path), { recursive: true });
      if (isFolder) continue;
      // The flag `wx` rejects a second file with the same name.
      const isExecutable = (mode & EXECUTE_BITS) !== 0 || name === program;
      const output = createWriteStream(path, { flags: 'wx', mode: isExecutable ? 0o755 : 0o644 });
      await pipeline(await open(), (chunks: AsyncIterable<Buffer>) => verifiedChunks(entry, chunks), output);
    }
  }
}

/** Yields the chunks of a file and verifies the file's checksum, because yauzl verifies only the length. */
async function* verifiedChunks(
  { fileName, crc32: sum }: Entry,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let checksum = 0;
  for await (const chunk of chunks) {
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (checksum !== sum) throw new Error(`its file ${fileName} is damaged`);
}

/** Returns a file's path, and verifies that it is inside the folder, although yauzl rejects absolute paths and `..`. */
function pathInside(folder: string, name: string): string {
  const path = resolve(folder, name);
  const subpath = relative(folder, path);
  if (subpath === '..' || subpath.startsWith(`..${sep}`) || resolve(folder, subpath) !== path)
    throw new Error(`a file would be outside its folder: ${name}`);
  return path;
}

async function* entriesOf(
  bytes: Buffer,
): AsyncGenerator<{ readonly entry: Entry; readonly open: () => Promise<Readable> }> {
  const zip = await openZip(bytes);
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} files`);
  for await (const entry of zip.eachEntry()) yield { entry, open: () => zip.openReadStreamPromise(entry) };
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  return fromBufferPromise(withoutSignature(bytes), { lazyEntries: true, strictFileNames: true });
}

/** Removes the signature that follows the zip data of a bundle. mcpmux does not verify signatures. */
function withoutSignature(bytes: Buffer): Buffer {
  if (!bytes.subarray(-SIGNATURE_END.length).equals(Buffer.from(SIGNATURE_END))) return bytes;
  const zip = Buffer.from(bytes.subarray(0, bytes.lastIndexOf(SIGNATURE_START)));
  if (zip.length >= END_RECORD_BYTES) zip.writeUInt16LE(0, zip.length - 2);
  return zip;
}
