import { useEffect, useState } from 'preact/hooks';

/** The time in which a second press counts, in milliseconds. */
const SURE_MS = 5000;
/** A press within this time after the first press belongs to a double click. */
const EARLY_MS = 500;

/**
 * A button for an action that cannot be undone. It acts on a second press. The first press counts for some seconds, and
 * while the button has the focus. The second click of a double click does nothing, and neither does a key that is held
 * down.
 */
export function SureButton(props: {
  readonly label: string;
  /** The text after the first press. */
  readonly question: string;
  readonly act: () => void;
}) {
  const [phase, setPhase] = useState<'calm' | 'early' | 'sure'>('calm');
  useEffect(() => {
    if (phase === 'calm') return undefined;
    const [next, ms] = phase === 'early' ? (['sure', EARLY_MS] as const) : (['calm', SURE_MS] as const);
    const timer = setTimeout(() => setPhase(next), ms);
    return () => clearTimeout(timer);
  }, [phase]);
  const press = (): void => {
    if (phase === 'calm') setPhase('early');
    if (phase !== 'sure') return;
    setPhase('calm');
    props.act();
  };
  return (
    <button
      type="button"
      class="danger"
      aria-disabled={phase === 'early'}
      onClick={press}
      onKeyDown={(event) => {
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
      onBlur={() => setPhase('calm')}
    >
      {phase === 'calm' ? props.label : props.question}
    </button>
  );
}
