import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { describe, expect, it } from 'vitest';

import { BundleArchive } from './bundle-archive.js';

const UNIX = { os: 3 } as const;

/** Unpacks a zip file of these files, and calls `look` with the folder before it is deleted. */
async function unpacked(
  files: Zippable,
  look: (folder: string) => unknown = () => undefined,
  program?: string,
): Promise<unknown> {
  await using above = await temporaryFolder();
  const file = join(above.path, 'x.mcpb');
  const folder = join(above.path, 'out');
  writeFileSync(file, zipSync({ 'manifest.json': strToU8('{}'), ...files }));
  await mkdir(folder);
  await (await BundleArchive.open(file)).unpack(folder, program);
  return look(folder);
}

describe('a bundle', () => {
  it('is unpacked with its folders, and its programs can be run', async () => {
    const files: Zippable = {
      'server/': new Uint8Array(0),
      'server/a.js': strToU8('1'),
      'bin/run': [strToU8('2'), { ...UNIX, attrs: 0o100755 << 16 }],
      'bin/of-windows': strToU8('3'),
    };
    const modes = await unpacked(
      files,
      (folder) => {
        expect(readFileSync(join(folder, 'server', 'a.js'), 'utf8')).toBe('1');
        return ['server/a.js', 'bin/run', 'bin/of-windows'].map(
          (name) => statSync(join(folder, name)).mode & 0o777,
        );
      },
      'bin/of-windows',
    );
    expect(modes).toEqual(process.platform === 'win32' ? [0o666, 0o666, 0o666] : [0o644, 0o755, 0o755]);
  });

  it.each([
    ['../out', 'invalid relative path'],
    ['server/../../out', 'invalid relative path'],
    ['/etc/out', 'absolute path'],
    ['C:/out', 'absolute path'],
    ['..\\out', 'invalid characters'],
  ])('with the file %s is refused, and writes nothing outside', async (name, problem) => {
    await expect(unpacked({ [name]: strToU8('x') })).rejects.toThrow(problem);
  });

  it('with a link is refused', async () => {
    const link: Zippable = { 'server/link': [strToU8('/etc/passwd'), { ...UNIX, attrs: 0o120777 << 16 }] };
    await expect(unpacked(link)).rejects.toThrow('it has a link, server/link');
  });

  it('with a damaged file is refused', async () => {
    const zip = Buffer.from(
      zipSync({ 'manifest.json': strToU8('{}'), a: strToU8('x'.repeat(1000)) }, { level: 0 }),
    );
    const damaged = Buffer.from(zip);
    damaged[damaged.indexOf('xxxx')] = 0x62;
    await using above = await temporaryFolder();
    const file = join(above.path, 'x.mcpb');
    writeFileSync(file, damaged);
    const archive = await BundleArchive.open(file);
    await expect(archive.unpack(above.path)).rejects.toThrow('its file a is damaged');
  });

  it('needs a manifest at its top', async () => {
    await using above = await temporaryFolder();
    const file = join(above.path, 'x.mcpb');
    writeFileSync(file, zipSync({ 'inner/manifest.json': strToU8('{}') }));
    await expect(BundleArchive.open(file)).rejects.toThrow('it has no manifest.json at its top');
  });

  it('with a signature behind the zip file is read as without', async () => {
    await using above = await temporaryFolder();
    const file = join(above.path, 'x.mcpb');
    const zip = zipSync({ 'manifest.json': strToU8('{"signed":true}') });
    writeFileSync(file, Buffer.concat([zip, Buffer.from('MCPB_SIG_V1\u0004\0\0\0abcdMCPB_SIG_END')]));
    expect((await BundleArchive.open(file)).manifest).toBe('{"signed":true}');
  });
});
