import { expect, it } from 'vitest';

import { CLIENTS } from '@mcpmux/clients';

import { clientCommands } from './client-commands.js';

it.each(['import', 'install', 'uninstall'])('the help of %s names every client, in its order', (name) => {
  const command = clientCommands(() => undefined).find((one) => one.name() === name);
  let help = '';
  command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const listed = /\nClients: (?<ids>[^.]*)\./.exec(help)?.groups?.['ids']?.split(/,\s+/);
  expect(listed).toEqual(CLIENTS.map(({ id }) => id));
  expect(help).toContain(`Examples:\n  mcpmux ${name} `);
});
