import { useEffect, useState } from 'preact/hooks';

import { Newest } from './newest.js';

/** The last answer, or the error of the last try. */
export interface LatestAnswer<Value> {
  readonly value?: Value | undefined;
  readonly error?: unknown;
}

/**
 * Reads something of mcpmux, and reads again when it may have changed. What was read last stays until the next answer.
 *
 * @param of names what is read: nothing that was read of something else is returned
 * @param version changes when the same may have changed
 */
export function useLatestAnswer<Value>(
  read: () => Promise<Value>,
  of: string,
  version: string,
): LatestAnswer<Value> {
  const [newest] = useState(() => new Newest());
  const [found, setFound] = useState<LatestAnswer<Value> & { readonly of: string }>();
  useEffect(() => {
    const isWanted = newest.ask();
    const failed = (error: unknown): void => {
      if (isWanted())
        setFound((before) => ({ value: before?.of === of ? before.value : undefined, of, error }));
    };
    read().then((value) => isWanted() && setFound({ of, value }), failed);
  }, [of, version]);
  return found?.of === of ? found : {};
}
