import { describe, expect, it } from 'vitest';

import { RawDriver, type Result } from './testing/raw-driver.js';

/** The results of `tools/list` from the first page on, at most `limit` of them. */
async function readPages(driver: RawDriver, limit: number): Promise<Result[]> {
  const pages: Result[] = [];
  let cursor: string | undefined;
  do {
    const { result = {} } = await driver.request('tools/list', cursor === undefined ? {} : { cursor });
    pages.push(result);
    cursor = result.nextCursor;
  } while (cursor !== undefined && pages.length < limit);
  return pages;
}

function toolNames(pages: Result[]): string[] {
  return pages.flatMap(({ tools = [] }) => tools.map(({ name }) => name));
}

describe('no-tools', () => {
  it('offers no capabilities and lists no tools', async () => {
    await using driver = new RawDriver('no-tools');
    await expect(driver.initialize()).resolves.toMatchObject({ result: { capabilities: {} } });
    await expect(driver.request('tools/list')).resolves.toMatchObject({ result: { tools: [] } });
  });
});

describe('paged', () => {
  it('has three pages and an empty cursor', async () => {
    await using driver = new RawDriver('paged');
    const pages = await readPages(driver, 10);
    expect(toolNames(pages)).toEqual(['first', 'second', 'third']);
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['', 'last', undefined]);
  });

  it('has tools that can be called', async () => {
    await using driver = new RawDriver('paged');
    await expect(driver.call('third')).resolves.toBe('third');
  });
});

describe('paged-forever', () => {
  it('gives a new cursor and a new tool on every page', async () => {
    await using driver = new RawDriver('paged-forever');
    const pages = await readPages(driver, 20);
    expect(pages).toHaveLength(20);
    expect(new Set(pages.map(({ nextCursor }) => nextCursor)).size).toBe(20);
    expect(new Set(toolNames(pages)).size).toBe(20);
  });
});

describe('paged-loop', () => {
  it('repeats its cursors', async () => {
    await using driver = new RawDriver('paged-loop');
    const pages = await readPages(driver, 5);
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['a', 'b', 'a', 'b', 'a']);
  });
});

describe('changing-tools', () => {
  it('adds a tool, says so and serves it', async () => {
    await using driver = new RawDriver('changing-tools');
    await expect(driver.call('add_tool', { name: 'constructor' })).resolves.toBe('added constructor');
    await driver.message(({ method }) => method === 'notifications/tools/list_changed');
    const { result = {} } = await driver.request('tools/list');
    expect(toolNames([result])).toEqual(['add_tool', 'constructor']);
    await expect(driver.call('constructor')).resolves.toBe('constructor');
  });
});

describe('changing-definition', () => {
  it('describes a tool as it is told to, and says so', async () => {
    await using driver = new RawDriver('changing-definition');
    await expect(driver.call('turn', { description: 'Says bye' })).resolves.toBe('turned');
    await driver.message(({ method }) => method === 'notifications/tools/list_changed');
    const { result } = await driver.request('tools/list');
    expect(result).toMatchObject({ tools: [{ name: 'greet', description: 'Says bye' }, { name: 'turn' }] });
    await expect(driver.call('greet')).resolves.toBe('hello');
  });
});

describe('invalid-tools', () => {
  it('lists tools that the SDK refuses', async () => {
    await using driver = new RawDriver('invalid-tools');
    const [page] = await readPages(driver, 1);
    expect(page && toolNames([page])).toEqual(['first', 'no_schema', 'text_schema', 'array_output', 'last']);
  });
});
