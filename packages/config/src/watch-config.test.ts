import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { watchConfig } from './watch-config.js';

/** Counts the changes to a file, and waits for the next one. */
function watched(file: string) {
  let count = 0;
  let reported = (): void => undefined;
  const end = watchConfig(file, () => {
    count += 1;
    reported();
  });
  const next = async (change: () => void): Promise<number> => {
    const changed = new Promise<void>((resolve) => (reported = resolve));
    change();
    await changed;
    return count;
  };
  return { next, end };
}

function replaceLink(target: string, link: string): void {
  symlinkSync(target, `${link}_tmp`);
  renameSync(`${link}_tmp`, link);
}

describe.runIf(process.platform !== 'win32')('F10: a config that is a symbolic link', () => {
  it('is read again after each edit of its target, in place and by rename, and when the link is a new one', async () => {
    await using folder = await temporaryFolder();
    const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
    mkdirSync(at('real'));
    mkdirSync(at('links'));
    writeFileSync(at('real', 'one.json'), '1');
    writeFileSync(at('real', 'two.json'), 'two');
    symlinkSync(join('..', 'real', 'one.json'), at('links', 'c.json'));
    const { next, end } = watched(at('links', 'c.json'));
    expect(await next(() => writeFileSync(at('real', 'one.json'), '2'))).toBe(1);
    const renamed = (): void => {
      writeFileSync(at('real', 'new.json'), '3');
      renameSync(at('real', 'new.json'), at('real', 'one.json'));
    };
    expect(await next(renamed)).toBe(2);
    expect(await next(() => replaceLink(join('..', 'real', 'two.json'), at('links', 'c.json')))).toBe(3);
    expect(await next(() => writeFileSync(at('real', 'two.json'), 'three'))).toBe(4);
    end();
  });

  it('in a volume of Kubernetes is read again each time when ..data leads to another folder', async () => {
    await using folder = await temporaryFolder();
    const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
    const version = (name: string): void => {
      mkdirSync(at(name));
      writeFileSync(at(name, 'c.json'), name);
      replaceLink(name, at('..data'));
    };
    version('..1');
    symlinkSync(join('..data', 'c.json'), at('c.json'));
    const { next, end } = watched(at('c.json'));
    expect(await next(() => version('..2'))).toBe(1);
    expect(await next(() => version('..3'))).toBe(2);
    end();
  });

  it('in a folder that is a link is read again when that link leads elsewhere', async () => {
    await using folder = await temporaryFolder();
    const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
    for (const name of ['a', 'b']) {
      mkdirSync(at(name));
      writeFileSync(at(name, 'c.json'), name);
    }
    symlinkSync('a', at('config'));
    const { next, end } = watched(at('config', 'c.json'));
    expect(await next(() => writeFileSync(at('a', 'c.json'), 'A'))).toBe(1);
    expect(await next(() => replaceLink('b', at('config')))).toBe(2);
    end();
  });
});

it('a config without links is read again after an edit in place and by rename', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'c.json');
  writeFileSync(file, '1');
  const { next, end } = watched(file);
  expect(await next(() => writeFileSync(file, '2'))).toBe(1);
  const renamed = (): void => {
    writeFileSync(`${file}.new`, '3');
    renameSync(`${file}.new`, file);
  };
  expect(await next(renamed)).toBe(2);
  end();
});
