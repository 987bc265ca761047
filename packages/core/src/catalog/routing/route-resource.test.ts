import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { resourcesAt, templatesOf } from '../../testing/definitions.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { MAX_TRIED_SERVERS, routeResource, routeTemplate, type ResourceRoute } from './route-resource.js';

const RESOURCES = { resources: {} };

interface Has {
  readonly uris?: readonly string[];
  readonly templates?: readonly string[];
}

function server(name: string, { uris = [], templates = [] }: Has = {}): StandInUpstream {
  return new StandInUpstream(name, { connection: connected().connection }).offers(
    { resources: resourcesAt(...uris), resourceTemplates: templatesOf(...templates) },
    RESOURCES,
  );
}

/** The route in a few words. */
function reported(route: ResourceRoute): string {
  switch (route.kind) {
    case 'owner':
      return `${route.resource.upstream.name}: ${route.resource.uri}`;
    case 'candidates':
      return `one of ${route.upstreams.map(({ name }) => name).join(' ')}`;
    case 'unknown':
      return 'unknown';
  }
}

function routed(uri: string, ...upstreams: readonly StandInUpstream[]): string {
  const { catalog } = toolDirectory(upstreams);
  return reported(routeResource(uri, catalog.snapshot(), catalog.knownUris));
}

describe('a URI', () => {
  it('S1: that a server lists leads to it, whoever else has a template for it', () => {
    const a = server('a', { templates: ['file:///{path}'] });
    const b = server('b', { uris: ['file:///x'] });
    expect(routed('file:///x', a, b)).toBe('b: file:///x');
  });

  it('A3: that two servers list is that of the first; the other one is known by its alias', () => {
    const [a, b] = [server('a', { uris: ['ui://main'] }), server('b', { uris: ['ui://main'] })];
    expect(routed('ui://main', a, b)).toBe('a: ui://main');
    expect(routed('ui://b/main', a, b)).toBe('b: ui://main');
  });

  it('S1: of a crashed server leads to it, so that the crash can be told', () => {
    expect(routed('x:1', server('a', { uris: ['x:1'] }).nowCrashed(), server('b'))).toBe('a: x:1');
  });

  it('S1: that a server spoke of leads to it before any template', () => {
    const [a, b] = [server('a', { templates: ['x:{y}'] }), server('b')];
    const { catalog } = toolDirectory([a, b]);
    catalog.knownUris.learnOwner('x:1', b);
    expect(reported(routeResource('x:1', catalog.snapshot(), catalog.knownUris))).toBe('b: x:1');
  });

  it('S1: leads to the server with the template that fits and says most', () => {
    const a = server('a', { templates: ['file:///{path}'] });
    const b = server('b', { templates: ['mail:{x}', 'file:///docs/{path}'] });
    expect(routed('file:///docs/1', a, b)).toBe('b: file:///docs/1');
    expect(routed('file:///other', a, b)).toBe('a: file:///other');
  });

  it('S1: is asked of all servers whose templates fit alike, then of the others', () => {
    const [a, b, c] = [
      server('a'),
      server('b', { templates: ['x:{p}'] }),
      server('c', { templates: ['x:{q}'] }),
    ];
    expect(routed('x:1', a, b, c)).toBe('one of b c a');
  });

  it('S1: leads to the only server that uses its scheme and authority', () => {
    const [a, b] = [server('a', { uris: ['http://a/1'] }), server('b', { uris: ['http://ab/1'] })];
    expect(routed('http://a/2', a, b)).toBe('a: http://a/2');
    expect(routed('http://ab/2', a, b)).toBe('b: http://ab/2');
    expect(routed('urn:x', server('a', { uris: ['urn:y'] }), server('b'))).toBe('a: urn:x');
  });

  it('S1: is not of an authority that only begins alike', () => {
    const [a, b] = [server('a'), server('b', { uris: ['http://ab/1'] })];
    expect(routed('http://a/2', a, b)).toBe('one of a b');
    const { catalog } = toolDirectory([a, b]);
    catalog.knownUris.learnOwner('http://ab/7', b);
    expect(reported(routeResource('http://a/2', catalog.snapshot(), catalog.knownUris))).toBe('one of a b');
  });

  it('S1: leads to the only server that has resources, and to none where there is none', () => {
    const tools = new StandInUpstream('tools', { connection: connected().connection }).offers({}, {});
    expect(routed('x:1', tools, server('a'))).toBe('a: x:1');
    expect(routed('x:1', tools)).toBe('unknown');
    expect(routed('x:1', server('a').nowCrashed())).toBe('unknown');
    expect(routed('no URI', server('a'), server('b'))).toBe('one of a b');
  });

  it('S1: is asked of five servers at most', () => {
    const many = Array.from({ length: 9 }, (_, index) => server(`s${index}`));
    expect(MAX_TRIED_SERVERS).toBe(5);
    expect(routed('x:1', ...many)).toBe('one of s0 s1 s2 s3 s4');
  });
});

describe('what a completion is asked for', () => {
  it('S3: leads to the first server with that template, otherwise where the URI leads', () => {
    const a = server('a', { templates: ['x:{p}'] });
    const b = server('b', { templates: ['x:{p}', 'y:{p}'], uris: ['z:1'] });
    const { catalog } = toolDirectory([a, b]);
    const asked = (text: string): string =>
      reported(routeTemplate(text, catalog.snapshot(), catalog.knownUris));
    expect([asked('x:{p}'), asked('y:{p}'), asked('z:1')]).toEqual(['a: x:{p}', 'b: y:{p}', 'b: z:1']);
  });
});
