import { runForwarding, type Progress } from './forwarding/run-forwarding.js';
import { installPeers } from './gateways/peers.js';
import { runGateways } from './gateways/run-gateways.js';
import { runHttp } from './http/run-http.js';
import { describeMachine, watchStolenTime } from './measure/machine.js';
import type { BenchOptions, Section } from './options.js';
import type { Report } from './report/report.js';
import { runOversized } from './scale/oversized.js';
import { runScale } from './scale/run-scale.js';
import { measureInstall } from './start-up/install-size.js';
import { runStartUp } from './start-up/run-start-up.js';
import { runSearch } from './search/run-search.js';
import { runShared } from './shared/run-shared.js';
import { runUrls } from './url/run-urls.js';

const MS_PER_SECOND = 1000;

/** Runs the parts that were asked for, one after the other. */
export async function runBench(options: BenchOptions, progress: Progress): Promise<Report> {
  const machine = describeMachine();
  const stolen = watchStolenTime();
  const started = performance.now();
  const part = async <Result>(section: Section, run: () => Promise<Result>): Promise<Result | null> => {
    if (!options.sections.includes(section)) return null;
    progress(section);
    return run();
  };
  const forwarding = await part('forwarding', () => runForwarding(options.forwarding, progress));
  const startUp = await part('start-up', () => runStartUp(options.startUpRuns));
  const install = await part('install', () => measureInstall());
  const scale = await part('scale', () => runScale(options.scale, progress));
  const oversized = await part('oversized', () => runOversized());
  const http = await part('http', () => runHttp(options.http, progress));
  const urls = await part('urls', () => runUrls(options.urls));
  const shared = await part('shared', () => runShared(options.shared, progress));
  const gateways = await part('gateways', async () => {
    const { gateways: chosen, wantsPeers } = options;
    if (!wantsPeers) return runGateways(chosen, [], progress);
    const { peers, leftOut } = await installPeers(chosen, progress);
    return runGateways({ ...chosen, gateways: [...chosen.gateways, ...peers] }, leftOut, progress);
  });
  const search = await part('search', () => runSearch(progress));
  const seconds = Math.round((performance.now() - started) / MS_PER_SECOND);
  const { forwarding: load, isSmoke } = options;
  return {
    format: 1,
    machine,
    isSmoke,
    options: load,
    seconds,
    stolenShare: stolen(),
    forwarding,
    startUp,
    install,
    scale,
    oversized,
    http,
    urls,
    shared,
    gateways,
    search,
  };
}
