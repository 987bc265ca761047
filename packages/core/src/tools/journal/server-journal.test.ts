import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { SHARED } from '../../testing/stand-in-registry.js';
import { Layer } from '../../server/config/layer.js';
import {
  MAX_JOURNAL_LINE_LENGTH,
  MAX_JOURNAL_LINES,
  MAX_JOURNALS,
  ServerJournal,
  type JournalKey,
} from './server-journal.js';

function server(name: string, layer: Layer = SHARED): JournalKey {
  return { name: parseServerName(name), layer };
}

describe('the journal', () => {
  it('M11: keeps what happened to each server, with its time', () => {
    const clock = new ManualClock();
    const journal = new ServerJournal(clock);
    journal.record(server('a'), 'event', 'server starting');
    clock.advance(5);
    journal.record(server('a'), 'stderr', 'hello');
    journal.record(server('b'), 'stderr', 'other');
    expect(journal.tail('a', SHARED, 10)).toEqual([
      { kind: 'event', text: 'server starting', at: 0 },
      { kind: 'stderr', text: 'hello', at: 5 },
    ]);
    expect(journal.tail('a', SHARED, 1)).toEqual([{ kind: 'stderr', text: 'hello', at: 5 }]);
    expect(journal.tail('nobody', SHARED, 1)).toBeUndefined();
  });

  it('M11: forgets the oldest lines of a server that writes without end, and the ends of long ones', () => {
    const journal = new ServerJournal(new ManualClock());
    for (let line = 0; line <= MAX_JOURNAL_LINES; line += 1)
      journal.record(server('a'), 'stderr', String(line));
    const kept = journal.tail('a', SHARED, MAX_JOURNAL_LINES + 1);
    expect([kept?.length, kept?.[0]?.text]).toEqual([MAX_JOURNAL_LINES, '1']);
    journal.record(server('a'), 'stderr', 'x'.repeat(MAX_JOURNAL_LINE_LENGTH + 1));
    expect(journal.tail('a', SHARED, 1)?.[0]?.text).toBe(`${'x'.repeat(MAX_JOURNAL_LINE_LENGTH)}…`);
  });

  it('M11: forgets the server that was silent longest', () => {
    const journal = new ServerJournal(new ManualClock());
    const names = Array.from({ length: MAX_JOURNALS }, (_, index) => `s${index}`);
    for (const name of names) journal.record(server(name), 'event', 'x');
    journal.record(server('s0'), 'event', 'again');
    journal.record(server('new'), 'event', 'x');
    const known = [...names, 'new'].filter((name) => journal.tail(name, SHARED, 1) !== undefined);
    expect(known).toHaveLength(MAX_JOURNALS);
    expect([journal.tail('s0', SHARED, 9)?.length, journal.tail('s1', SHARED, 9)]).toEqual([2, undefined]);
  });

  it('H5: what happened to a server of another layer is not that of one of the same name', () => {
    const journal = new ServerJournal(new ManualClock());
    const [own, other] = [new Layer('session 1', SHARED), new Layer('session 2', SHARED)];
    journal.record(server('a', own), 'stderr', 'mine');
    expect(journal.tail('a', own, 9)).toHaveLength(1);
    expect([journal.tail('a', other, 9), journal.tail('a', SHARED, 9)]).toEqual([undefined, undefined]);
  });

  it('H5: forgets servers that sessions have for themselves before those of all, and with their session', () => {
    const journal = new ServerJournal(new ManualClock());
    const own = new Layer('session 1', SHARED);
    journal.record(server('shared'), 'event', 'x');
    const others = Array.from(
      { length: 2 * MAX_JOURNALS },
      (_, session) => new Layer(`session ${session + 2}`, SHARED),
    );
    for (const layer of [...others, own]) journal.record(server('a', layer), 'event', 'x');
    const known = [...others, own].filter((layer) => journal.tail('a', layer, 1) !== undefined);
    expect(known).toHaveLength(MAX_JOURNALS - 1);
    expect(journal.tail('shared', SHARED, 9)).toHaveLength(1);
    expect(journal.tail('a', own, 9)).toHaveLength(1);
    journal.forgetLayer(own);
    expect(journal.tail('a', own, 9)).toBeUndefined();
    expect(journal.tail('shared', SHARED, 9)).toHaveLength(1);
  });
});
