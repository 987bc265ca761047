import { useEffect, useRef } from 'preact/hooks';

import type { Askers } from '../asker.js';
import type { useConversation } from '../conversation.js';
import { Message } from '../parts.js';
import { ResultView } from '../result-view.js';
import { Questions } from './questions.js';

/** Shows the outcome of a request, first the questions of its server, then its result. */
export function Answered(props: {
  readonly conversation: ReturnType<typeof useConversation>;
  readonly askers: Askers;
}) {
  const { outcome, asked, result, isOpen, cancel } = props.conversation;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked !== undefined || result !== undefined) element.current?.scrollIntoView({ block: 'nearest' });
  }, [asked, result]);
  return (
    <div ref={element}>
      <Message {...outcome} />
      {asked !== undefined && (
        <Questions questions={asked.questions} answer={asked.answer} askers={props.askers} />
      )}
      {isOpen && (
        <button type="button" onClick={cancel}>
          Cancel the request
        </button>
      )}
      {result !== undefined && <ResultView result={result} />}
    </div>
  );
}
