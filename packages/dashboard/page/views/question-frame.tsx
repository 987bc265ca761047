import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Asked } from '../asker.js';
import type { Json } from '../connection.js';

/** The place of a question among several that come together. */
export interface PlaceOfQuestion {
  readonly number: number;
  readonly of: number;
}

/** A question of a server, and the way to answer. */
export interface QuestionProps extends Asked {
  readonly params: Json;
  readonly place: PlaceOfQuestion | undefined;
  readonly answer: (answer: Json) => void;
}

/** A question with the name of the server that asks. A question that follows the answer to another one has the focus. */
export function QuestionFrame(props: {
  /** Names the kind of the question for readers. */
  readonly label: string;
  readonly asker: string;
  readonly place: PlaceOfQuestion | undefined;
  /** The rest of the sentence that begins with the server. */
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

/** The two ways not to accept an elicitation: no, and no answer. */
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
