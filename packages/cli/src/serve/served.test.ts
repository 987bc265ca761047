import { expect, it } from 'vitest';

import { ServedParts, type ServedPart } from './served.js';

const NEVER = new Promise<number>(() => undefined);

/** Adds parts that record their end. */
function opener(parts: readonly (ServedPart & { readonly name: string })[], stopped: string[]) {
  return (served: ServedParts): Promise<undefined> => {
    for (const { name, ...part } of parts)
      served.add({
        ...part,
        stop: () => {
          stopped.push(name);
          return part.stop?.();
        },
      });
    return Promise.resolve(undefined);
  };
}

it('the exit code is that of the first part that ends, and the last part stops first', async () => {
  const stopped: string[] = [];
  const parts = [{ name: 'mux' }, { name: 'front', ended: Promise.resolve(7) }, { name: 'page' }];
  await expect(ServedParts.run(opener(parts, stopped), NEVER)).resolves.toBe(7);
  expect(stopped).toEqual(['page', 'front', 'mux']);
});

it('a signal ends all parts with its exit code', async () => {
  const stopped: string[] = [];
  const parts = [{ name: 'mux', ended: NEVER }];
  await expect(ServedParts.run(opener(parts, stopped), Promise.resolve(143))).resolves.toBe(143);
  expect(stopped).toEqual(['mux']);
});

it('a signal while the parts open ends the parts that are open', async () => {
  const stopped: string[] = [];
  const open = async (served: ServedParts): Promise<undefined> => {
    await opener([{ name: 'cluster' }], stopped)(served);
    return new Promise(() => undefined);
  };
  await expect(ServedParts.run(open, Promise.resolve(130))).resolves.toBe(130);
  expect(stopped).toEqual(['cluster']);
});

it('a process that cannot serve stops the parts that it has opened', async () => {
  const stopped: string[] = [];
  const open = async (served: ServedParts) => {
    await opener([{ name: 'mux' }], stopped)(served);
    return { exitCode: 4 };
  };
  await expect(ServedParts.run(open, NEVER)).resolves.toBe(4);
  expect(stopped).toEqual(['mux']);
});

it('a part waits for the end of the parts after it', async () => {
  const events: string[] = [];
  const open = (served: ServedParts): Promise<undefined> => {
    served.add({ ended: Promise.resolve(0), stop: () => events.push('mux') });
    served.add({
      stop: async () => {
        await Promise.resolve();
        events.push('front');
      },
    });
    return Promise.resolve(undefined);
  };
  await ServedParts.run(open, NEVER);
  expect(events).toEqual(['front', 'mux']);
});

it('a part that fails at its end does not keep the others from theirs', async () => {
  const stopped: string[] = [];
  const parts = [
    { name: 'mux', ended: Promise.resolve(0) },
    { name: 'front', stop: () => Promise.reject(new Error('it broke')) },
  ];
  await expect(ServedParts.run(opener(parts, stopped), NEVER)).rejects.toThrow('it broke');
  expect(stopped).toEqual(['front', 'mux']);
});
