import { describe, expect, it } from 'vitest';

import { explainRefusals, findRefusals } from './refused.js';

const VIEW = [
  { path: '/tmp', sight: 'empty', isFolder: true, isPassable: false },
  { path: '/home/ann/.ssh', sight: 'hidden', isFolder: true, isPassable: false },
  { path: '/home/ann/work', sight: 'writable', isFolder: true, isPassable: false },
] as const;
const read = (text: string) => findRefusals(text.split('\n'), { view: VIEW, reach: 'none' });

describe('what a sandbox has refused', () => {
  it.each([
    ["Error: EROFS: read-only file system, mkdir '/home/ann/my out/x'", '/home/ann/my out/x'],
    ["OSError: [Errno 30] Read-only file system: '/var/lib/x.db'", '/var/lib/x.db'],
    ["touch: cannot touch '/etc/x': Read-only file system", '/etc/x'],
    ['/bin/sh: 1: cannot create /etc/xyz: Read-only file system', '/etc/xyz'],
    ["ENOENT: no such file or directory, mkdir '/home/ann/.cache/ms'", '/home/ann/.cache/ms'],
    ['mkdir /home/ann/.cache/gopls: read-only file system', '/home/ann/.cache/gopls'],
    [
      'failed to create directory `/home/ann/.local/share/uv`: Read-only file system (os error 30)',
      '/home/ann/.local/share/uv',
    ],
  ])('a path that was written: %s', (line, path) => {
    expect(read(line)).toMatchObject({ unwrittenPaths: [path], hiddenPaths: [], hosts: [] });
  });

  it.each([
    ["EACCES: permission denied, open '/home/ann/.ssh/id'", '/home/ann/.ssh/id'],
    ['cat: /home/ann/.ssh/id: Permission denied', '/home/ann/.ssh/id'],
    ["Error: Cannot find module '/tmp/x/server.js'", '/tmp/x/server.js'],
    ["python3: can't open file '/tmp/server.py': [Errno 2] No such file or directory", '/tmp/server.py'],
  ])('a path that is hidden: %s', (line, path) => {
    expect(read(line)).toMatchObject({ unwrittenPaths: [], hiddenPaths: [path], hosts: [] });
  });

  it.each([
    ['Error: getaddrinfo EAI_AGAIN api.github.com', ['api.github.com']],
    [
      'npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
      ['registry.npmjs.org'],
    ],
    ['curl: (6) Could not resolve host: example.com', ['example.com']],
    ['dial tcp: lookup example.com on 1.1.1.1:53: no such host', ['example.com']],
    ['Failed to fetch: `https://pypi.org/simple/mcp/`: dns error', ['pypi.org']],
    ['connect ENETUNREACH 1.1.1.1:443', ['']],
    ['curl: (56) CONNECT tunnel failed, response 403', ['']],
    [
      'npm error code ENOTCACHED\nnpm error request to https://registry.npmjs.org/x failed',
      ['registry.npmjs.org'],
    ],
    ['cause: Failed to fetch: https://pypi.org/x/\ncause: dns error', ['pypi.org']],
  ])('a host: %s', (line, hosts) => {
    expect(read(line)).toMatchObject({ unwrittenPaths: [], hiddenPaths: [], hosts });
  });

  it.each([
    "EACCES: permission denied, open '/home/ann/work/x'",
    "ENOENT: no such file, open '/home/ann/work/x'",
    'listening on /home/ann/.ssh/agent',
    'it works',
  ])('is not every problem: %s', (line) => {
    expect(explainRefusals(read(line))).toBeUndefined();
  });

  it('is no host where the whole network is allowed', () => {
    const line = 'Error: getaddrinfo ENOTFOUND nowhere.example.com';
    expect(findRefusals([line], { view: VIEW, reach: 'all' }).hosts).toEqual([]);
  });
});

it('the failure names what was refused, and one line that allows it, but for secrets', () => {
  const lines = [
    "EROFS: read-only file system, open '/var/x/db'",
    "EACCES: permission denied, open '/home/ann/.ssh/id'",
    "Error: Cannot find module '/tmp/x/server.js'",
    'getaddrinfo EAI_AGAIN api.github.com',
  ];
  expect(explainRefusals(findRefusals(lines, { view: VIEW, reach: 'none' }))).toBe(
    'Its sandbox refused to write /var/x/db; to read /home/ann/.ssh/id, /tmp/x/server.js; the network: ' +
      'api.github.com, according to its stderr. This line in its entry allows it: "sandbox": {"filesystem": ' +
      '{"allowWrite": ["/var/x"], "allowRead": ["/tmp/x/server.js"]}, "network": true}. For these domains alone, ' +
      'with the sandbox runtime installed: "network": {"allowedDomains": ["api.github.com"]}. No line is offered ' +
      'for places with secrets: /home/ann/.ssh/id.',
  );
});

it.each([
  ["EACCES: permission denied, open '/home/ann/.ssh/id'", '/home/ann/.ssh/id'],
  ["EROFS: read-only file system, open '/home/ann/.bashrc'", '/home/ann'],
  ["EROFS: read-only file system, open '/home/x'", '/home'],
])('a server cannot make the failure offer a line for secrets: %s', (line, place) => {
  const text = explainRefusals(read(line)) ?? '';
  expect(text).not.toContain('This line');
  expect(text).toContain(`No line is offered for places with secrets: ${place}.`);
});
