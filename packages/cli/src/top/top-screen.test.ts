import { describe, expect, it } from 'vitest';

import type { Announcement } from '../live/announcement.js';
import type { ServerState } from '../live/server-state.js';
import { colours } from '../terminal/colours.js';
import { actionOf } from './event-actions.js';
import { screenLines, snapshotLines, type Frame } from './top-screen.js';
import { INITIAL_STATE, nextState, type TopAction, type TopState } from './top-state.js';

const MOMENT = new Date(2026, 0, 1, 12, 0, 0).getTime();
const INSTANCE: Announcement = {
  id: 'a',
  pid: 4711,
  socket: '/run/a.sock',
  version: '0.1.0',
  started: MOMENT - 3_600_000,
  cwd: '/home/ann',
  config: '/home/ann/.config/mcpmux/config.json',
};
const FRAME: Frame = { instance: INSTANCE, columns: 90, rows: 18, colours: colours(false, {}), now: MOMENT };

function server(name: string, more: Partial<ServerState> = {}): ServerState {
  const tools = [`${name}__find`, `${name}__list`];
  return {
    name,
    status: 'running',
    tools,
    pid: 99,
    uptimeSeconds: 90,
    restarts: 0,
    droppedLines: 0,
    warnings: [],
    ...more,
  };
}

function after(...actions: readonly TopAction[]): TopState {
  return actions.reduce(nextState, INITIAL_STATE);
}

const SERVERS: TopAction = {
  type: 'servers',
  servers: [
    server('github'),
    server('files', { status: 'starting', tools: [], uptimeSeconds: undefined }),
    server('broken', {
      status: 'crashed',
      tools: [],
      uptimeSeconds: undefined,
      problem: 'Server "broken" exited.\n  stderr',
    }),
  ],
  summaries: { github: { count: 12, failed: 1, running: 2, p50: 8.4, p95: 1410 } },
};
const LOGS: TopAction = {
  type: 'log',
  items: [
    { time: MOMENT, server: 'github', text: 'server running', isEvent: true },
    { time: MOMENT + 1000, server: 'files', text: 'of another one', isEvent: false },
    { time: MOMENT + 2000, server: 'github', text: 'rate limit\u001B[2J is near', isEvent: false },
  ],
};
const CALLS: readonly TopAction[] = [
  { type: 'call', item: { time: MOMENT, server: 'github', tool: 'find', call: 1 } },
  { type: 'call', item: { time: MOMENT, server: 'github', tool: 'list', call: 2 } },
  {
    type: 'call',
    item: { time: MOMENT + 300, server: 'github', tool: 'find', call: 1, ms: 300, ending: 'failed' },
  },
  {
    type: 'call',
    item: { time: MOMENT + 300, server: 'github', tool: 'find', call: 3, ms: 2.5, ending: 'result' },
  },
];

const shown = (state: TopState, frame: Partial<Frame> = {}): string =>
  screenLines(state, { ...FRAME, ...frame }).join('\n');

describe('the screen', () => {
  it('shows servers with their calls, and the logs of the chosen one', () => {
    expect(shown(after(SERVERS, LOGS))).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
      ▸ ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
        ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exit…

      [logs]  calls   tools   info   clients 
      12:00:00  server running
      12:00:02  rate limit [2J is near







      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('shows which calls have failed, also by the result of a tool, and why', () => {
    const item = { time: MOMENT, server: 'github', tool: 'find', call: 9, ms: 5, ending: 'result' };
    const failed: TopAction = { type: 'call', item: { ...item, problem: 'no such\u001B[2J file' } };
    const state = after(SERVERS, failed, { type: 'panel', by: 1 });
    expect(shown(state)).toMatch(/✖ {2}find {2}5 ms {2}no such \[2J file/);
  });

  it('shows calls, the one that is on its way too', () => {
    const state = after(SERVERS, ...CALLS, { type: 'panel', by: 1 });
    expect(shown(state)).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
      ▸ ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
        ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exit…

       logs  [calls]  tools   info   clients 
      12:00:00  ✖  find  300 ms  failed
      12:00:00  …  list
      12:00:00     find  2.5 ms






      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('shows tools of the chosen server', () => {
    expect(shown(after(SERVERS, { type: 'panel', by: 2 }))).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
      ▸ ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
        ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exit…

       logs   calls  [tools]  info   clients 
      github__find
      github__list







      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('says why a server does not run', () => {
    const state = after(SERVERS, { type: 'move', by: 2 }, { type: 'panel', by: 3 });
    expect(shown(state)).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
        ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
      ▸ ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exit…

       logs   calls   tools  [info]  clients 
      name                            broken
      state                           crashed
      pid                             99
      restarts                        0
      stdout lines that are not MCP   0
      Server "broken" exited.
        stderr


      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('says what there is not', () => {
    expect(shown(INITIAL_STATE, { rows: 10 })).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  0 of 0 running  /home/ann/.config/mcpmux/config.json

        NAME  STATE  TOOLS  CALLS  FAILED  NOW  P50  P95  UP

      [logs]  calls   tools   info   clients 
      There are no servers yet.



      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('helps', () => {
    expect(shown(after(SERVERS, { type: 'mode', mode: 'help' }))).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
      ▸ ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
        ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exit…

      [logs]  calls   tools   info   clients 
      ↑ ↓ j k        choose a server
      tab ← →        logs, calls, tools, info, clients
      page up, down  scroll; f goes back to the end
      /              show only lines with a text; escape ends it
      r              restart the server; asks while it has calls in flight
      d d            remove the server until mcpmux starts again
      q              quit


      ↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit"
    `);
  });

  it('asks before a server is removed', () => {
    const lines = screenLines(after(SERVERS, { type: 'mode', mode: 'confirm-remove' }), FRAME);
    expect(lines.at(-1)).toBe('Remove github? Press d again to remove it, or any other key to cancel.');
  });

  it('shows only lines that hold the filter', () => {
    const state = after(SERVERS, LOGS, { type: 'filter', text: 'LIMIT' });
    expect(shown(state)).toContain('rate limit');
    expect(shown(state)).not.toContain('server running');
    expect(shown(after(SERVERS, LOGS, { type: 'filter', text: 'zzz' }))).toContain(
      'No line of logs contains "zzz".',
    );
  });

  it.each([
    [40, 8],
    [20, 5],
    [200, 60],
    [90, 18],
  ])('fits a terminal of %i columns and %i rows', (columns, rows) => {
    const many: TopAction = {
      type: 'servers',
      servers: Array.from({ length: 40 }, (_, index) => server(`server-${index}`)),
      summaries: {},
    };
    const lines = screenLines(after(many, LOGS, { type: 'move', by: 30 }), { ...FRAME, columns, rows });
    expect(lines).toHaveLength(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('keeps the chosen server in sight', () => {
    const servers = Array.from({ length: 40 }, (_, index) => server(`server-${index}`));
    const many: TopAction = { type: 'servers', servers, summaries: {} };
    for (const by of [0, 5, 20, 39]) {
      expect(shown(after(many, { type: 'move', by }))).toMatch(new RegExp(`▸ ● +server-${by} `));
    }
  });

  it('goes up and down in what does not fit', () => {
    const items = Array.from({ length: 50 }, (_, line) => ({
      time: MOMENT,
      server: 'github',
      text: `line ${line}.`,
      isEvent: false,
    }));
    const all = after(SERVERS, { type: 'log', items });
    expect(shown(all)).toContain('line 49.');
    const up = nextState(all, { type: 'scroll', by: 20 });
    expect(shown(up)).toContain('line 29.');
    expect(shown(up)).not.toContain('line 49.');
    expect(shown(nextState(up, { type: 'scroll', by: 1000 }))).toContain('line 0.');
    expect(shown(nextState(up, { type: 'follow' }))).toContain('line 49.');
  });

  it('without a terminal is the table and the last lines', () => {
    expect(snapshotLines(after(SERVERS, LOGS), FRAME).join('\n')).toMatchInlineSnapshot(`
      "mcpmux 4711  up 1h  1 of 3 running, 1 crashed  /home/ann/.config/mcpmux/config.json

           NAME    STATE     TOOLS  CALLS  FAILED  NOW  P50     P95    UP
      ▸ ●  github  running   2      12     1       2    8.4 ms  1.4 s  1m
        ○  files   starting  0      0      0       0    -       -      -
        ✖  broken  crashed   0      0      0       0    -       -      -   Server "broken" exited.

      [logs]  calls   tools   info   clients 
      12:00:00  server running
      12:00:02  rate limit [2J is near"
    `);
  });
});

it('what servers use stands in a wide table, and in the panel info at any width', () => {
  const usageByPid = new Map([[99, { processes: 2, cpuPercent: 12.34, memoryBytes: 45_600_000 }]]);
  const state = after({
    type: 'servers',
    servers: [server('a'), server('b', { pid: 5 })],
    summaries: {},
    usageByPid,
  });
  expect(shown(state, { columns: 120 })).toMatch(/UP  CPU   MEMORY[^]*a .* 12 %  46 MB[^]*b .* -     -/);
  expect(shown(state, { columns: 80 })).not.toContain('CPU');
  const info = nextState(state, { type: 'panel', by: 3 });
  expect(shown(info, { columns: 80 })).toMatch(/one core +12 %\nmemory +46 MB/);
});

it('calls have their arguments, also after their end', () => {
  const item = { time: MOMENT, server: 'github', tool: 'find', call: 1, arguments: '{"q":"a\u001B[2J"}' };
  const begun = after(SERVERS, { type: 'call', item }, { type: 'panel', by: 1 });
  expect(shown(begun)).toContain('…  find  {"q":"a [2J"}');
  const { arguments: _, ...end } = { ...item, ms: 7, ending: 'result' };
  expect(shown(nextState(begun, { type: 'call', item: end }))).toContain('find  7 ms  {"q":"a [2J"}');
});

it('the clients have a panel, and their number is in the title', () => {
  const client = {
    session: 1,
    client: 'cur\u001Bsor',
    protocol_version: '2025-11-25',
    capabilities: [],
    principal: 'local',
    connected_seconds: 61,
    in_flight: 2,
  };
  const state = after(
    { type: 'servers', servers: [], summaries: {}, clients: [client] },
    { type: 'panel', by: -1 },
  );
  expect(shown(state)).toContain('0 of 0 running, 1 client ');
  expect(shown(state)).toContain('  1  cur sor  MCP 2025-11-25  connected for 1m  2 requests in flight');
});

it('a server that sleeps is no failure', () => {
  const asleep: TopAction = { type: 'servers', servers: [server('a', { status: 'idle' })], summaries: {} };
  expect(shown(after(asleep))).toMatch(/▸ ○ +a +idle +2 /);
  expect(shown(after(asleep))).toContain('0 of 1 running, 1 idle ');
  const info: TopAction = { type: 'panel', by: 3 };
  expect(shown(after(asleep, info))).toMatch(/state +idle: stopped, and starts with its next call/);
});

describe('the state', () => {
  it('keeps its choice while the server is there', () => {
    const chosen = after(SERVERS, { type: 'move', by: 1 });
    expect(nextState(chosen, SERVERS).selectedName).toBe('files');
    expect(
      nextState(chosen, { type: 'servers', servers: [server('other')], summaries: {} }).selectedName,
    ).toBe('other');
    expect(nextState(chosen, { type: 'servers', servers: [], summaries: {} }).selectedName).toBeUndefined();
  });

  it('keeps a bounded number of lines', () => {
    const items = Array.from({ length: 3000 }, () => ({
      time: MOMENT,
      server: 'a',
      text: 'x',
      isEvent: false,
    }));
    expect(after({ type: 'log', items }).logs).toHaveLength(1000);
  });
});

describe('an event of the running mcpmux', () => {
  const time = '2026-01-01T12:00:00.000Z';

  it.each([
    [
      { type: 'server:stderr', server: 'a', line: 'x' },
      { type: 'log', items: [{ text: 'x', isEvent: false }] },
    ],
    [
      { type: 'server:state', server: 'a', status: 'running' },
      { type: 'log', items: [{ text: 'server running', isEvent: true }] },
    ],
    [
      { type: 'server:state', server: 'a', status: 'crashed', error: 'it died' },
      { type: 'log', items: [{ text: 'it died' }] },
    ],
    [
      { type: 'call:start', server: 'a', tool: 't', call: 1 },
      { type: 'call', item: { tool: 't', call: 1 } },
    ],
    [
      { type: 'call:end', server: 'a', tool: 't', call: 1, ms: 5, ending: 'result' },
      { type: 'call', item: { ms: 5 } },
    ],
  ])('%j changes what is shown', (event, action) => {
    expect(actionOf({ time, ...event })).toMatchObject(action);
  });

  it.each([{}, { type: 7 }, { time, type: 'of a later version' }])('%j changes nothing', (event) => {
    expect(actionOf(event)).toBeUndefined();
  });
});
