import { useEffect, useRef } from 'preact/hooks';

import type { useConversation } from '../conversation.js';
import { Message } from '../parts.js';
import { ResultView } from '../result-view.js';
import { Questions } from './questions.js';

/** What became of a request: the questions of its server, then its result. */
export function Answered({ conversation }: { readonly conversation: ReturnType<typeof useConversation> }) {
  const { message, asked, result } = conversation;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked !== undefined || result !== undefined) element.current?.scrollIntoView({ block: 'nearest' });
  }, [asked, result]);
  return (
    <div ref={element}>
      <Message text={message} />
      {asked !== undefined && <Questions questions={asked.questions} answer={asked.answer} />}
      {result !== undefined && <ResultView result={result} />}
    </div>
  );
}
