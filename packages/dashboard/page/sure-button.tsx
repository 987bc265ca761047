import { useEffect, useState } from 'preact/hooks';

/** A first press counts for so long. */
const SURE_MS = 5000;

/**
 * A button for something that cannot be undone: it acts on a second press. The first press counts for some seconds, and
 * while the button has the focus.
 */
export function SureButton(props: {
  readonly label: string;
  /** The text after the first press. */
  readonly question: string;
  readonly act: () => void;
}) {
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    if (!isSure) return undefined;
    const timer = setTimeout(() => setSure(false), SURE_MS);
    return () => clearTimeout(timer);
  }, [isSure]);
  const press = (): void => {
    setSure(!isSure);
    if (isSure) props.act();
  };
  return (
    <button type="button" class="danger" onClick={press} onBlur={() => setSure(false)}>
      {isSure ? props.question : props.label}
    </button>
  );
}
