import { expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { LegacyTasks, type LegacyTask } from './legacy-tasks.js';

it('H5: the tasks of one principal do not push out those of another', () => {
  const tasks = new LegacyTasks();
  const { connection } = connected();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its identity matters
  const task = {} as LegacyTask;
  tasks.add(connection, 'of ann', task, 'ann');
  for (let index = 0; index < 1500; index += 1) tasks.add(connection, `of bob ${index}`, task, 'bob');
  expect(tasks.get(connection, 'of ann')).toBe(task);
  expect(tasks.get(connection, 'of bob 0')).toBeUndefined();
});
