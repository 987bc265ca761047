import { describe, expect, it } from 'vitest';

import { filled, httpGateway, serversBy, stdioGateway, type Filling } from './gateway-spec.js';

const FILLING: Filling = {
  file: (dialect) => `/tmp/${dialect}.json`,
  server: ['node', 'echo server.js', '100b'],
  port: 8123,
  home: '/tmp/home',
};

describe('the command of a gateway', () => {
  it('is words, of which quotes keep white space', () => {
    expect(stdioGateway('My gateway=env A=1 "/opt/my gateway" \'--flag x\'')).toEqual({
      name: 'My gateway',
      version: undefined,
      words: ['env', 'A=1', '/opt/my gateway', '--flag x'],
      url: undefined,
    });
  });

  it('comes after the version, if that is given', () => {
    expect(stdioGateway('x@1.2=run')).toEqual({ name: 'x', version: '1.2', words: ['run'], url: undefined });
  });

  it('comes after the url of a gateway over HTTP', () => {
    const { url, words } = httpGateway('x=http://127.0.0.1:{port}/mcp run --port {port}');
    expect(url).toBe('http://127.0.0.1:{port}/mcp');
    expect(filled(words, FILLING)).toEqual(['run', '--port', '8123']);
  });

  it.each([
    ['file', 'x=run --config={config}'],
    ['file', 'x=run {config:magg}'],
    ['one command', 'x=run -- {server}'],
    ['one command', 'x=run --stdio {server-line}'],
    ['add_server', 'x=run'],
  ])('gives it servers by %s: %s', (way, text) => {
    expect(serversBy(stdioGateway(text))).toBe(way);
  });

  it('gets the file, the server as words or as one word, and the folder', () => {
    const { words } = stdioGateway('x=run -c={config} {config:magg} {home}/log {server-line} -- {server}');
    expect(filled(words, FILLING)).toEqual([
      'run',
      '-c=/tmp/plain.json',
      '/tmp/magg.json',
      '/tmp/home/log',
      'node "echo server.js" 100b',
      '--',
      'node',
      'echo server.js',
      '100b',
    ]);
  });

  it.each([
    [() => stdioGateway('run me'), '--target: "run me" has no name'],
    [() => stdioGateway('x='), '--target: "x=" has no command'],
    [() => httpGateway('x=run me'), '--url: "x=run me" is not NAME=http://… COMMAND'],
    [() => httpGateway('x=http://127.0.0.1/mcp'), 'is not NAME=http://… COMMAND'],
  ])('makes no sense without its parts: %s', (read, message) => {
    expect(read).toThrow(message);
  });
});
