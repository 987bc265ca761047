import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MARKER_VARIABLE, secretValuesOf, serverEnvironment } from './environment.js';

const variables = fc.dictionary(fc.constantFrom('PATH', 'HOME', 'TOKEN', MARKER_VARIABLE), fc.string());

describe('the environment of a server', () => {
  it("fault H1: is mcpmux's own, with that of the server merged over it", () => {
    const inherited = { PATH: '/usr/bin', HOME: '/home/agent', LANG: 'C' };
    const own = { PATH: '/opt/bin', TOKEN: 'secret' };
    expect(serverEnvironment(inherited, own, 'instance:1')).toEqual({
      PATH: '/opt/bin',
      HOME: '/home/agent',
      LANG: 'C',
      TOKEN: 'secret',
      MCPMUX_CHILD: 'instance:1',
    });
  });

  it('always carries the marker, which neither side can replace', () => {
    fc.assert(
      fc.property(variables, variables, fc.string(), (inherited, own, marker) => {
        expect(serverEnvironment(inherited, own, marker)).toEqual({
          ...inherited,
          ...own,
          MCPMUX_CHILD: marker,
        });
      }),
    );
  });

  it('is a copy: a change to it does not change that of mcpmux', () => {
    const inherited = { PATH: '/usr/bin' };
    const own = { TOKEN: 'secret' };
    Object.assign(serverEnvironment(inherited, own, 'instance:1'), { PATH: '', TOKEN: '' });
    expect({ inherited, own }).toEqual({ inherited: { PATH: '/usr/bin' }, own: { TOKEN: 'secret' } });
  });
});

describe('the environment that a server inherits', () => {
  const host = {
    PATH: '/bin',
    Path: 'C:\\bin',
    HOME: '/home/me',
    LANG: 'C',
    AWS_SECRET_ACCESS_KEY: 'canary',
    HTTPS_PROXY: 'http://user:canary@proxy',
    SHELL: '() { canary; }',
  };

  it('fault H1: is, when only what is safe is passed on, exactly this', () => {
    expect(serverEnvironment(host, { TOKEN: 'own' }, 'mux:1', 'safe')).toEqual({
      PATH: '/bin',
      Path: 'C:\\bin',
      HOME: '/home/me',
      LANG: 'C',
      TOKEN: 'own',
      [MARKER_VARIABLE]: 'mux:1',
    });
  });

  it('fault H1: may be nothing at all', () => {
    expect(serverEnvironment(host, {}, 'mux:1', 'none')).toEqual({ [MARKER_VARIABLE]: 'mux:1' });
  });
});

describe('the secrets of a server', () => {
  it('fault H3: are the values of its variables, those aside that say where things are', () => {
    const env = {
      TOKEN: 'canary',
      PATH: '/opt/bin',
      Path: 'C:\\bin',
      LANG: 'de',
      DATABASE_URL: 'pg://u:p@h',
    };
    expect(secretValuesOf(env)).toEqual(['canary', 'pg://u:p@h']);
  });

  it('hides no file that mcpmux itself names there', () => {
    expect(secretValuesOf({ MCPMUX_CONFIG_CHAIN: '/home/agent/servers.json', TOKEN: 'canary' })).toEqual([
      'canary',
    ]);
  });
});
