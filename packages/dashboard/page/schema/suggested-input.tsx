import { useEffect, useState } from 'preact/hooks';

import { control } from './inputs.js';
import type { ControlLabels, FormState } from './labels.js';

/** Suggestions are requested after this time without typing, in milliseconds. */
const CALM_MS = 150;

/** A text input with the values that a server suggests, which the browser shows while the user types. */
export function SuggestedInput(props: {
  /** The name of the argument. A list requests suggestions for each of its entries. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: string;
  readonly labels: ControlLabels;
  readonly suggest: NonNullable<FormState['suggest']>;
  readonly onValue: (value: string) => void;
}) {
  const { name, isRequired, value, labels, suggest, onValue } = props;
  const [isUsed, setUsed] = useState(false);
  const [values, setValues] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isUsed) return undefined;
    const ended = new AbortController();
    const show = (found: readonly string[]): void => {
      if (!ended.signal.aborted) setValues(found);
    };
    // If suggestions fail, the user types without them. The server reports its problem when the form is submitted.
    const ask = (): void => void suggest({ name, value }, ended.signal).then(show, () => show([]));
    const timer = setTimeout(ask, CALM_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isUsed, value]);
  const list = `${labels.id}-values`;
  return (
    <>
      <input
        {...control({ labels, isRequired })}
        list={list}
        autoComplete="off"
        value={value}
        onFocus={() => setUsed(true)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <datalist id={list}>
        {values.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
