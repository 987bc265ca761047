import { get } from 'node:http';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { PageRig } from './testing/page-rig.js';

/** One for each place: a secret that mcpmux knows from one place is masked in all others too. */
const SECRETS = ['env', 'argument', 'assignment', 'password', 'query', 'header', 'call'].map(
  (place) => `hunter2-${place}`,
);

/** The first lines of the events of a mux, up to one with a text. */
async function eventsUntil(rig: PageRig, headers: Readonly<Record<string, string>>, text: string) {
  let read = '';
  await new Promise<void>((resolve, reject) => {
    const asked = get(`${rig.origin}/ui/api/events?after=0`, { headers }, (response) => {
      response.on('data', (chunk: Buffer) => {
        read += chunk.toString();
        if (!read.includes(text)) return;
        response.destroy();
        resolve();
      });
    });
    asked.on('error', reject);
  });
  return read;
}

it('overview, log and events have no secret of a server and of its calls', async () => {
  await using rig = await PageRig.open();
  const { command, args } = fixtureCommand('echo');
  const [variable = '', argument = '', assignment = '', password, query, header = '', called] = SECRETS;
  const secretly = [...args, '--token', argument, `--api-key=${assignment}`];
  const headers = await rig.logIn();
  await rig.mux.addServer('echo', { command, args: secretly, env: { API_TOKEN: variable } });
  await rig.mux
    .addServer('far', {
      url: `http://user:${password}@127.0.0.1:1/?key=${query}`,
      headers: { 'x-key': header },
    })
    .catch(() => undefined);
  await rig.mux.callTool('echo__echo', { message: 'called', password: called });
  const texts = {
    overview: (await rig.send('/ui/api/overview', { headers })).text,
    log: (await rig.send('/ui/api/log?server=echo', { headers })).text,
    events: await eventsUntil(rig, headers, 'audit'),
  };
  expect(texts.overview).toContain('--api-key');
  expect(texts.log).toContain('server running');
  expect(texts.events).toContain('"server":"echo"');
  for (const text of Object.values(texts))
    expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
});
