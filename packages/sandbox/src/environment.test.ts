import { expect, it } from 'vitest';

import { splitEnvironment, withOwnCaches } from './environment.js';

it('variables of the loader do not reach the program that confines', () => {
  const { passed, inner } = splitEnvironment({
    LD_PRELOAD: '/x.so',
    DYLD_INSERT_LIBRARIES: '/x.dylib',
    GCONV_PATH: '/x',
    GLIBC_TUNABLES: 'x',
    PATH: '/bin',
    TOKEN: 'secret',
    EMPTY: undefined,
  });
  expect(passed).toEqual({ PATH: '/bin', TOKEN: 'secret' });
  expect(Object.keys(inner)).toEqual(['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'GCONV_PATH', 'GLIBC_TUNABLES']);
});

it('package runners get caches of the server, whatever the case of the variable', () => {
  const environment = withOwnCaches({ NPM_CONFIG_CACHE: '/home/ann/.npm', PATH: '/bin' }, '/cache', '/tmp');
  expect(environment).toMatchObject({
    npm_config_cache: '/cache/npm',
    UV_CACHE_DIR: '/cache/uv',
    TMPDIR: '/tmp',
    PATH: '/bin',
  });
  expect(environment['NPM_CONFIG_CACHE']).toBeUndefined();
});
