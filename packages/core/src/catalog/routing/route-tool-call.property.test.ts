import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { quote } from '@mcpmux/kit';

import type { ExposedDefinition } from '../exposed-definition.js';
import { arbitraryServers, standInsOf } from '../../testing/arbitrary-servers.js';
import { connected } from '../../testing/connected.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { routeToolCall, type ToolDirectory } from './route-named.js';

const { connection } = connected();
const OWN_TOOLS = ['add_server', 'list_servers'];
const budget = fc.integer({ min: 16, max: 64 });

/** The tool that a name leads to, or the kind of the other route. Deep comparisons of servers take seconds. */
function entryOf(name: string, directory: ToolDirectory): ExposedDefinition | string {
  const route = routeToolCall(name, directory);
  return route.kind === 'forward' ? route.entry : route.kind;
}

describe('whatever servers and tools are named', () => {
  it('M6, D18: every exposed and every qualified name leads to its own tool', () => {
    fc.assert(
      fc.property(arbitraryServers, budget, (servers, nameBudget) => {
        const directory = toolDirectory(standInsOf(servers, connection), OWN_TOOLS, nameBudget);
        for (const tool of directory.snapshot().tools.entries) {
          for (const name of [tool.exposedName, tool.qualifiedName]) {
            expect(entryOf(name, directory)).toBe(tool);
          }
        }
      }),
      propertyRuns(25),
    );
  });

  it('M6: the names of mcpmux itself lead to mcpmux itself', () => {
    fc.assert(
      fc.property(arbitraryServers, (servers) => {
        const directory = toolDirectory(standInsOf(servers, connection), OWN_TOOLS);
        for (const name of OWN_TOOLS) expect(routeToolCall(name, directory)).toEqual({ kind: 'own', name });
      }),
      propertyRuns(25),
    );
  });

  it('M6: a name that is neither of these leads to the one tool of that local name, or nowhere', () => {
    fc.assert(
      fc.property(arbitraryServers, (servers) => {
        const directory = toolDirectory(standInsOf(servers, connection), OWN_TOOLS);
        const { entries: tools, byName } = directory.snapshot().tools;
        const locals = servers.flatMap((server) => server.tools);
        for (const name of locals.filter((local) => !byName.has(local) && !OWN_TOOLS.includes(local))) {
          const namesakes = tools.filter(({ definition }) => definition.key === name);
          expect(entryOf(name, directory)).toBe(namesakes.length === 1 ? namesakes[0] : 'unknown');
        }
      }),
      propertyRuns(25),
    );
  });

  it('a text that is no name of a tool is refused with a message that quotes it', () => {
    fc.assert(
      fc.property(arbitraryServers, anyText({ maxLength: 50 }), (servers, text) => {
        const directory = toolDirectory(standInsOf(servers, connection), OWN_TOOLS);
        const name = `no such ${text}`;
        expect(routeToolCall(name, directory)).toEqual({
          kind: 'unknown',
          message: expect.stringContaining(`Unknown tool ${quote(name)}`),
        });
      }),
      propertyRuns(25),
    );
  });
});
