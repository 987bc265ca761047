import { useMemo } from 'preact/hooks';

import { Code, Facts } from '../parts.js';
import { PartView } from '../result-view.js';
import { answerOf, answerSchema, REJECTED, samplingView } from '../sampling.js';
import { SchemaForm } from '../schema/schema-form.js';
import { QuestionFrame, type QuestionProps } from './question-frame.js';

/** Shows a server's request for a completion, which the user answers in place of a model. */
export function Sampling({ asker, params, place, answer }: Omit<QuestionProps, 'message'>) {
  const { systemPrompt, messages, facts, tools, maxTokens } = useMemo(() => samplingView(params), [params]);
  return (
    <QuestionFrame
      label="The server asks for a completion:"
      asker={asker}
      place={place}
      does="asks for the answer of a model. You can answer in place of a model, or decline."
    >
      {systemPrompt !== '' && (
        <>
          <h3>System prompt</h3>
          <Code label="System prompt">{systemPrompt}</Code>
        </>
      )}
      <h3>Messages</h3>
      <div role="group" aria-label="Messages">
        {messages.map((part, number) => (
          <PartView key={number} part={part} />
        ))}
        {messages.length === 0 && <p class="calm">The server has sent no message.</p>}
      </div>
      <Facts facts={facts} />
      {tools !== '' && (
        <>
          <h3>Tools for the model</h3>
          <Code label="Tools for the model">{tools}</Code>
        </>
      )}
      <SchemaForm
        schema={answerSchema(maxTokens)}
        submit="Answer"
        empty=""
        onSubmit={(typed) => answer(answerOf(typed))}
      >
        <button type="button" onClick={() => answer(REJECTED)}>
          Decline
        </button>
      </SchemaForm>
    </QuestionFrame>
  );
}
