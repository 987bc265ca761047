import { qualifyTaskId } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { keyPaths, readMessage } from '@mcpmux/wire';
import { connected } from '../../testing/connected.js';
import { promptsNamed, resourcesAt } from '../../testing/definitions.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { routeOther } from './route-other.js';

const PATHS = keyPaths(['taskId', 'name', 'uri']);

function server(name: string, capabilities: Readonly<Record<string, unknown>> = {}): StandInUpstream {
  return new StandInUpstream(name, { tools: ['get'], connection: connected().connection }).offers(
    { prompts: promptsNamed(`ask_${name}`), resources: resourcesAt('x:1', `${name}:1`) },
    { ...capabilities, resources: {} },
  );
}

/** The server and what it is told instead, in a few words. */
function routed(method: string, params: object, ...upstreams: readonly StandInUpstream[]): string {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const message = readMessage(line, PATHS);
  if (message.kind !== 'request') throw new Error('no request');
  const directory = toolDirectory(upstreams);
  const route = routeOther({ line, method, params: message.params }, directory, directory.catalog.knownUris);
  if (route === undefined) return 'nobody';
  return [route.upstream.name, ...[...route.localValues].map((local) => local.join(' '))].join(': ');
}

describe('a method that mcpmux does not know', () => {
  const [a, b] = [server('a'), server('b')];

  it('S12: goes where the task is that it names', () => {
    const taskId = qualifyTaskId(b.name, 't:1');
    expect(routed('x/y', { taskId, name: 'a__get', uri: 'a:1' }, a, b)).toBe('b: taskId t:1');
    expect(routed('x/y', { taskId: 't:1' }, a, b)).toBe('nobody');
  });

  it('S12: goes where the tool or prompt is that it names', () => {
    expect(routed('x/y', { name: 'b__get', uri: 'a:1' }, a, b)).toBe('b: name get');
    expect(routed('x/y', { name: 'ask_a' }, a, b)).toBe('a: name ask_a');
    expect(routed('x/y', { name: 'get' }, a, b)).toBe('nobody');
  });

  it('S12, A3: goes where the resource is that it names, under the URI of its own server', () => {
    expect(routed('x/y', { uri: 'b:1' }, a, b)).toBe('b: uri b:1');
    expect(routed('x/y', { uri: 'mcpmux:b:x:1' }, a, b)).toBe('b: uri x:1');
  });

  it('S12: goes to the only server that declares an extension of that name', () => {
    const skills = server('c', { extensions: { 'io.modelcontextprotocol/skills': {} } });
    const vendor = server('d', { experimental: { 'x-vendor': {} } });
    expect(routed('skills/list', {}, a, skills, vendor)).toBe('c');
    expect(routed('x-vendor/do', {}, a, skills, vendor)).toBe('d');
    expect(routed('kills/list', {}, a, skills, vendor)).toBe('nobody');
  });

  it('S12: goes to nobody when several declare it', () => {
    const [c, d] = ['c', 'd'].map((name) => server(name, { extensions: { skills: {} } }));
    expect(c && d && routed('skills/list', {}, a, c, d)).toBe('nobody');
  });

  it('S12: goes to the only server that runs', () => {
    expect(routed('x/y', {}, a)).toBe('a');
    expect(routed('x/y', {}, a, server('c').nowCrashed())).toBe('a');
    expect(routed('x/y', {}, a, b)).toBe('nobody');
    expect(routed('x/y', {})).toBe('nobody');
  });

  it.each([{ taskId: 7 }, { name: null }, { uri: ['b:1'] }])(
    'S12: names nothing by what is no text: %j',
    (params) => {
      expect(routed('x/y', params, a, b)).toBe('nobody');
    },
  );
});
