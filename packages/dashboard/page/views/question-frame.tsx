import type { ComponentChildren } from 'preact';

import type { Asked } from '../asker.js';
import type { Json } from '../connection.js';

/** A question of a server, and the way to answer. */
export interface QuestionProps extends Asked {
  readonly params: Json;
  readonly answer: (answer: Json) => void;
}

/** A question with the name of the server that asks. */
export function QuestionFrame(props: {
  /** Names the kind of the question for readers. */
  readonly label: string;
  readonly asker: string;
  /** The rest of the sentence that begins with the server. */
  readonly does: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { label, asker, does, children } = props;
  return (
    <div role="group" aria-label={`${label} ${asker}`} class="question">
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
