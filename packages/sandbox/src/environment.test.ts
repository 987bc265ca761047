import { expect, it } from 'vitest';

import { splitEnvironment, withPrivateCaches } from './environment.js';

it('variables of the loader do not reach the program that confines', () => {
  const { outerVariables, loaderVariables } = splitEnvironment({
    LD_PRELOAD: '/x.so',
    DYLD_INSERT_LIBRARIES: '/x.dylib',
    GCONV_PATH: '/x',
    GLIBC_TUNABLES: 'x',
    PATH: '/bin',
    TOKEN: 'secret',
    EMPTY: undefined,
  });
  expect(outerVariables).toEqual({ PATH: '/bin', TOKEN: 'secret' });
  expect(Object.keys(loaderVariables)).toEqual([
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
  ]);
});

it('package runners get caches of the server, whatever the case of the variable', () => {
  const places = { cache: '/cache', temporaryFolder: '/tmp', hasNetwork: true };
  const environment = withPrivateCaches({ NPM_CONFIG_CACHE: '/home/ann/.npm', PATH: '/bin' }, places);
  expect(environment).toMatchObject({
    npm_config_cache: '/cache/npm',
    UV_CACHE_DIR: '/cache/uv',
    TMPDIR: '/tmp',
    PATH: '/bin',
  });
  expect(environment['NPM_CONFIG_CACHE']).toBeUndefined();
});

it('package runners without a network use what their caches have', () => {
  const places = { cache: '/cache', temporaryFolder: '/tmp' };
  expect(withPrivateCaches({}, { ...places, hasNetwork: false })).toMatchObject({
    npm_config_offline: 'true',
  });
  expect(withPrivateCaches({}, { ...places, hasNetwork: true })).not.toHaveProperty('npm_config_offline');
});
