import { expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { connected } from '../../testing/connected.js';
import { URL_WAIT_MS, UrlWaits } from './url-waits.js';

it('a wait is over when its own server says so, and not when another one names the same id', async () => {
  const clock = new ManualClock();
  const waits = new UrlWaits(clock);
  const [one, other] = [connected().connection, connected().connection];
  let isOver = false;
  const waiting = waits.whenEnded(one, ['e']).then(() => (isOver = true));
  waits.endElicitation(other, 'e');
  await nextTurn();
  expect(isOver).toBe(false);
  waits.endElicitation(one, 'e');
  await waiting;
  expect(clock.timerCount).toBe(0);
});

it('a wait is over after its time, and one that comes after the end is over at once', async () => {
  const clock = new ManualClock();
  const waits = new UrlWaits(clock);
  const { connection } = connected();
  const late = waits.whenEnded(connection, ['never']);
  clock.advance(URL_WAIT_MS);
  await expect(late).resolves.toBeUndefined();
  waits.endElicitation(connection, 'e');
  await expect(waits.whenEnded(connection, ['e'])).resolves.toBeUndefined();
});
