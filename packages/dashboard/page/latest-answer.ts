import { useEffect, useState } from 'preact/hooks';

import { Newest } from './newest.js';

/** The last value, and the error of the last try if it failed. */
export interface LatestAnswer<Value> {
  readonly value?: Value | undefined;
  readonly error?: unknown;
}

/**
 * Reads data from mcpmux, and reads it again when it may have changed. The last value remains until the next response.
 *
 * @param of identifies the data, so that the hook never returns other data
 * @param version changes when the data may have changed
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
