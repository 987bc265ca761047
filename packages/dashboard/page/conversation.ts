import { useState } from 'preact/hooks';

import { useAct } from './action.js';
import type { Json } from './connection.js';
import { converse, type Ask, type Question, type Target } from './mcp.js';

interface Asked {
  readonly questions: Readonly<Record<string, Question>>;
  readonly answer: (answers: Json) => void;
}

/** One request at a time, from its params to its result, with the questions of its server. */
export function useConversation(target: Target) {
  const { message, tell, run } = useAct();
  const [result, setResult] = useState<Json>();
  const [asked, setAsked] = useState<Asked>();
  const ask: Ask = (questions) =>
    new Promise((resolve) => {
      tell('The server asks:');
      const answer = (answers: Json): void => {
        setAsked(undefined);
        tell('Calling …');
        resolve(answers);
      };
      if (Object.keys(questions).length === 0) answer({});
      else setAsked({ questions, answer });
    });
  const progress = ({ progress: at, message: text = '' }: Json): void =>
    tell(`Progress ${String(at)} ${String(text)}`);
  const requested = async (params: () => Json): Promise<string> => {
    setResult(undefined);
    setAsked(undefined);
    const before = performance.now();
    const found = await converse(target, params(), ask, progress);
    setResult(found);
    const outcome = found['isError'] === true ? 'The tool has failed' : 'Answered';
    return `${outcome} after ${Math.round(performance.now() - before)} ms.`;
  };
  return { message, result, asked, request: (params: () => Json): void => run(() => requested(params)) };
}
