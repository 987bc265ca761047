import { afterEach, beforeEach, expect, it } from 'vitest';

import { editConfigFile } from './config-edit.js';
import { TemporaryHome } from './testing/temporary-home.js';

let home: TemporaryHome;
beforeEach(() => (home = new TemporaryHome()));
afterEach(() => home[Symbol.dispose]());

/** An editor that writes this, whatever was there. */
function editorOf(text: string): Readonly<Record<string, string>> {
  home.write('editor.cjs', `require('node:fs').writeFileSync(process.argv.at(-1), ${JSON.stringify(text)});`);
  return { EDITOR: `${process.execPath} ${home.path('editor.cjs')}` };
}

it('opens the config in the editor, and checks it then', async () => {
  home.write('.config/mcpmux/config.json', { mcpServers: {} });
  const context = { ...home.context(), environment: editorOf('{"mcpServers":{"a":{"comand":"x"}}}') };
  expect(await editConfigFile(context, [], {})).toBe(2);
  expect(home.err).toContain('Did you mean "command"?');
});

it('opens an editor whose path has spaces, in quotes', async () => {
  home.write('.config/mcpmux/config.json', { mcpServers: {} });
  home.write(
    'my editor.cjs',
    `require('node:fs').writeFileSync(process.argv.at(-1), '{"mcpServers":{"a":{"comand":"x"}}}');`,
  );
  const environment = { EDITOR: `"${process.execPath}" "${home.path('my editor.cjs')}"` };
  expect(await editConfigFile({ ...home.context(), environment }, [], {})).toBe(2);
});

it('says what to do without a config, and without the editor', async () => {
  await expect(editConfigFile(home.context(), [], {})).rejects.toMatchObject({
    failure: { code: 'CONFIG_NOT_FOUND', next: 'create one with: mcpmux init' },
  });
  home.write('.config/mcpmux/config.json', { mcpServers: {} });
  const context = { ...home.context(), environment: { EDITOR: 'no-such-editor-here --wait' } };
  await expect(editConfigFile(context, [], {})).rejects.toMatchObject({
    message: 'the editor "no-such-editor-here" was not found.',
  });
});
