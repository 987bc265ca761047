import { expect, it } from 'vitest';

import type { RegistryArgument } from './registry-server.js';
import { risksOf } from './source-risks.js';

const RISKY: readonly [string, RegistryArgument[]][] = [
  ['docker', [{ type: 'positional', default: '--privileged' }]],
  ['docker', [{ type: 'positional', choices: ['-i', '--privileged'] }]],
  ['docker', [{ type: 'positional', value: '{x}', variables: { x: { default: '--privileged' } } }]],
  ['docker', [{ type: 'named', name: '--privileged' }]],
  ['docker', [{ type: 'named', name: '-v', value: '/:/host' }]],
  ['docker', [{ type: 'positional', value: '-v=/:/host' }]],
  ['docker', [{ type: 'named', name: '--volume=/:/host' }]],
  [
    'npx',
    [
      { type: 'positional', value: '-c' },
      { type: 'positional', value: 'touch /tmp/x' },
    ],
  ],
  ['npx', [{ type: 'named', name: '--registry', value: 'http://evil' }]],
  ['uvx', [{ type: 'named', name: '--index-url', value: 'http://evil' }]],
];

it.each(RISKY)('an option that changes what %s runs, or its rights, is a risk: %j', (command, runtime) => {
  expect(risksOf(command, runtime, [])).not.toEqual([]);
});

it.each([
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'npm_config_registry',
  'PATH',
  'PYTHONPATH',
  'BASH_ENV',
])('a variable by which a program runs other code is a risk: %s', (name) => {
  expect(risksOf('npx', [], [{ name }])).toEqual([`the variable ${name} can make programs run other code`]);
});

it('the usual options and variables are none', () => {
  const runtime = [
    { type: 'named', name: '-e', value: 'TOKEN={token}' },
    { type: 'named', name: '--rm' },
    { type: 'positional', value: 'run' },
  ];
  expect(risksOf('docker', runtime, [{ name: 'API_TOKEN' }, { name: 'LOG_LEVEL' }])).toEqual([]);
});
