import { describe, expect, it } from 'vitest';

import { parseOptions, USAGE } from './options.js';

describe('the command line', () => {
  it('asks for everything in nine rounds when it is empty', () => {
    const { sections, forwarding, scale } = parseOptions([]);
    expect(sections).toEqual(['forwarding', 'start-up', 'install', 'scale', 'oversized']);
    expect(forwarding.targets).toEqual([
      'direct',
      'byte-pipe',
      'mcpmux',
      'sdk-v1-proxy',
      'sdk-v2-proxy',
      'mcp-proxy',
      'mcp-hub',
    ]);
    expect(forwarding.payloads).toEqual(['100b', '10k', '1m', 'structured']);
    expect(forwarding.inFlight).toEqual([1, 32, 256]);
    expect(forwarding.rounds).toBe(9);
    expect([scale.servers.at(-1), scale.tools.at(-1), scale.inFlight.at(-1)]).toEqual([100, 10_000, 10_000]);
  });

  it('chooses targets, payloads, calls in flight, rounds and the length of a window', () => {
    const { forwarding, jsonFile } = parseOptions(
      '--targets mcpmux,direct --payloads 1m --in-flight 8,64 --rounds 7 --window 50 --id-first --json x.json'.split(
        ' ',
      ),
    );
    expect(forwarding).toEqual({
      targets: ['mcpmux', 'direct'],
      payloads: ['1m'],
      inFlight: [8, 64],
      rounds: 7,
      window: { windowMs: 50, minCallsPerPlace: 1 },
      idFirst: true,
    });
    expect(jsonFile).toBe('x.json');
  });

  it('compares gateways alone when it names some, beside those of each run', () => {
    const { sections, gateways, wantsPeers } = parseOptions(['--target', 'x=run {config}', '--rounds', '41']);
    expect(sections).toEqual(['gateways']);
    expect(gateways.gateways.map(({ name }) => name)).toEqual([
      'byte-pipe',
      'mcpmux',
      'mcpmux --shared',
      'mcpmux --http',
      'SDK v1 proxy',
      'SDK v2 proxy',
      'x',
    ]);
    expect([gateways.rounds, gateways.inFlight, gateways.payloads]).toEqual([
      41,
      [1, 32],
      ['100b', '10k', '1m'],
    ]);
    expect(wantsPeers).toBe(false);
    expect(parseOptions(['--peers'])).toMatchObject({ sections: ['gateways'], wantsPeers: true });
  });

  it('calls fronts over HTTP as clients of both eras, unless one is chosen', () => {
    expect(parseOptions([]).http).toMatchObject({
      eras: ['legacy', 'modern'],
      payloads: ['100b', 'structured'],
      fronts: ['mcpmux', 'mcp-proxy'],
    });
    const chosen =
      '--era modern --payloads 10k --fronts mcpmux,mcpmux:/before,embedded,sdk-v2,tmcp,mcp-use --sessions 50'.split(
        ' ',
      );
    expect(parseOptions(chosen).http).toMatchObject({
      eras: ['modern'],
      payloads: ['10k'],
      fronts: ['mcpmux', 'mcpmux:/before', 'embedded', 'sdk-v2', 'tmcp', 'mcp-use'],
      sessions: 50,
    });
  });

  it('measures once and by count, not by time, in a smoke run', () => {
    const { isSmoke, forwarding, startUpRuns } = parseOptions(['--smoke']);
    expect(isSmoke).toBe(true);
    expect(forwarding.rounds).toBe(1);
    expect(forwarding.window.windowMs).toBe(0);
    expect(startUpRuns).toBeLessThan(5);
  });

  it.each([
    [['--targets', 'mcpmux,nginx'], '--targets: there is no "nginx"'],
    [['--payloads', ''], '--payloads: there is no ""'],
    [['--sections', 'all'], '--sections: there is no "all"'],
    [['--in-flight', '1,x'], '--in-flight: "x" is not a whole number above 0'],
    [['--rounds', '0'], '--rounds: "0" is not a whole number above 0'],
    [['--window', '1.5'], '--window: "1.5" is not a whole number above 0'],
    [['--target', 'run'], '--target: "run" has no name'],
    [['--target', 'mcpmux=run'], 'two gateways with the name "mcpmux"'],
    [['--era', 'ancient'], '--era: there is no "ancient"'],
    [['--scenarios', 'all'], '--scenarios: there is no "all"'],
    [['--fast'], "Unknown option '--fast'"],
    [['fast'], "Unexpected argument 'fast'"],
  ])('%j makes no sense, and the message says why', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });

  it('explains every flag', () => {
    for (const flag of [
      'smoke',
      'sections',
      'targets',
      'payloads',
      'in-flight',
      'rounds',
      'window',
      'json',
      'docs',
      'target',
      'url',
      'peers',
      'scenarios',
    ]) {
      expect(USAGE).toContain(`--${flag}`);
    }
  });
});
