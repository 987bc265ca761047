import { hasNatsServer, startNatsServers } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

describe.skipIf(CHROMIUM === undefined || !hasNatsServer)(`the page of a node${NO_CHROMIUM}`, () => {
  it('shows the nodes and where servers run, drains a node, and says when the cluster is lost', async () => {
    const servers = fixtureServers({ echo: {}, progress: { host: 'elsewhere' } });
    await using cluster = await ClusterNodes.open(['b'], servers, await startNatsServers(1));
    const urls = cluster.nats.flatMap(({ url }) => ['--cluster', url]);
    const args = [...urls, '--node', 'a'];
    await using opened = await PageBrowser.open({ servers, args, env: { HOME: cluster.home } });
    const { page } = opened;
    await opened.show('Cluster');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/^a \(this one\).*running/).waitFor();
    await row(/^b\b.*running/).waitFor();
    await row(/^progress .*nowhere: no node named elsewhere is there.*node elsewhere$/).waitFor();
    await row(/^echo [ab]\b.*any node$/).waitFor();
    expect(await flaws(page, 'Cluster')).toEqual([]);
    const owner = /^echo (\w)/.exec((await row(/^echo /).innerText()).replaceAll('\t', ' '))?.[1] ?? '';
    const other = owner === 'a' ? 'b' : 'a';
    const drain = page.getByRole('button', { name: `Drain ${owner}`, exact: true });
    const sure = page.getByRole('button', { name: `Drain ${owner}: sure?` });
    await drain.click();
    await sure.waitFor();
    await page.keyboard.press('Tab');
    await drain.waitFor();
    await row(new RegExp(`^${owner}\\b.*running`)).waitFor();
    await drain.click();
    await sure.click();
    await page.getByText(`Drained ${owner}.`).waitFor();
    await row(new RegExp(`^echo ${other} `)).waitFor();
    await row(new RegExp(`^${owner}\\b.* drained`)).waitFor();
    expect(await page.getByRole('button', { name: /^Drain/ }).count()).toBe(1);
    await cluster.nats[0]?.kill();
    await page.getByRole('alert').getByText('no connection to the cluster').waitFor();
    expect(opened.seen.problems).toEqual([]);
  });
});
