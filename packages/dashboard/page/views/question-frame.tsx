import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Asked } from '../asker.js';
import type { Json } from '../connection.js';

/** The position of a question among several questions that arrive together. */
export interface PlaceOfQuestion {
  readonly number: number;
  readonly of: number;
}

/** A question of a server, and the function that answers it. */
export interface QuestionProps extends Asked {
  readonly params: Json;
  readonly place: PlaceOfQuestion | undefined;
  readonly answer: (answer: Json) => void;
}

/**
 * Shows a question with the name of its server. A question that follows the answer to another question gets the focus.
 */
export function QuestionFrame(props: {
  /** The readable kind of the question. */
  readonly label: string;
  readonly asker: string;
  readonly place: PlaceOfQuestion | undefined;
  /** The rest of the sentence that begins with the server name. */
  readonly does: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { label, asker, place, does, children } = props;
  const element = useRef<HTMLDivElement>(null);
  // Screen readers read the label of the group that gets the focus.
  useLayoutEffect(() => {
    if ((place?.number ?? 1) > 1) element.current?.focus();
  }, []);
  const which = place === undefined ? '' : `Question ${place.number} of ${place.of}`;
  return (
    <div
      ref={element}
      role="group"
      tabIndex={-1}
      aria-label={[which, `${label} ${asker}`].filter(Boolean).join('. ')}
      class="question"
    >
      {which !== '' && <p class="calm">{which}</p>}
      <p>
        {asker} <span class="calm">{does}</span>
      </p>
      {children}
    </div>
  );
}

/** Shows the two ways to refuse an elicitation, which are to decline and to cancel. */
export function Refusals({ answer }: Pick<QuestionProps, 'answer'>) {
  return (
    <>
      <button type="button" onClick={() => answer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" onClick={() => answer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  );
}
