import fc from 'fast-check';
import { expect, it } from 'vitest';

import { CALL_CHOICES, linkTo, routeOf, VIEWS } from './route.js';

it('a link leads to its entries, whatever the name of a server or a tool', () => {
  const optional = { nil: undefined };
  const routes = fc.record({
    view: fc.constantFrom(...VIEWS),
    server: fc.option(fc.string({ unit: 'grapheme' }), optional),
    layer: fc.option(fc.string({ unit: 'grapheme' }), optional),
    only: fc.option(fc.constantFrom(...CALL_CHOICES), optional),
    name: fc.option(fc.string({ unit: 'grapheme' }), optional),
  });
  fc.assert(
    fc.property(routes, (route) => {
      expect(routeOf(linkTo(route))).toEqual(route);
    }),
  );
});

it.each(['', '#', '#/', '#/nothing', '#/%', '#/constructor?server'])(
  '%j is an address of the page',
  (hash) => {
    expect(routeOf(hash).view).toBe('servers');
  },
);

it('an unknown choice of calls is no choice', () => {
  expect(routeOf('#/calls?only=red')).toEqual({ view: 'calls' });
});
