import { describe, expect, it } from 'vitest';

import { ManualClock } from '../testing/manual-clock.js';
import { JOURNAL_LINE_LENGTH, JOURNAL_LINES, JOURNAL_SERVERS, ServerJournal } from './server-journal.js';

describe('the journal', () => {
  it('M11: keeps what happened to each server, with its time', () => {
    const clock = new ManualClock();
    const journal = new ServerJournal(clock);
    journal.record('a', 'event', 'server starting');
    clock.advance(5);
    journal.record('a', 'stderr', 'hello');
    journal.record('b', 'stderr', 'other');
    expect(journal.tail('a', 10)).toEqual([
      { kind: 'event', text: 'server starting', at: 0 },
      { kind: 'stderr', text: 'hello', at: 5 },
    ]);
    expect(journal.tail('a', 1)).toEqual([{ kind: 'stderr', text: 'hello', at: 5 }]);
    expect(journal.tail('nobody', 1)).toBeUndefined();
  });

  it('M11: forgets the oldest lines of a server that writes without end, and the ends of long ones', () => {
    const journal = new ServerJournal(new ManualClock());
    for (let line = 0; line <= JOURNAL_LINES; line += 1) journal.record('a', 'stderr', String(line));
    const kept = journal.tail('a', JOURNAL_LINES + 1);
    expect([kept?.length, kept?.[0]?.text]).toEqual([JOURNAL_LINES, '1']);
    journal.record('a', 'stderr', 'x'.repeat(JOURNAL_LINE_LENGTH + 1));
    expect(journal.tail('a', 1)?.[0]?.text).toBe(`${'x'.repeat(JOURNAL_LINE_LENGTH)}…`);
  });

  it('M11: forgets the server that was silent longest', () => {
    const journal = new ServerJournal(new ManualClock());
    for (let server = 0; server < JOURNAL_SERVERS; server += 1) journal.record(`s${server}`, 'event', 'x');
    journal.record('s0', 'event', 'again');
    journal.record('new', 'event', 'x');
    expect(journal.servers()).toHaveLength(JOURNAL_SERVERS);
    expect([journal.tail('s0', 9)?.length, journal.tail('s1', 9)]).toEqual([2, undefined]);
  });
});
