import { useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import type { Question } from '../mcp.js';
import { Code } from '../parts.js';
import { isJson, textIn } from '../values.js';
import { SchemaForm } from '../schema/schema-form.js';
import { UrlQuestion } from './url-question.js';

/** The questions of a server, one after the other. */
export function Questions(props: {
  readonly questions: Readonly<Record<string, Question>>;
  readonly answer: (answers: Json) => void;
}) {
  const keys = Object.keys(props.questions);
  const [answers, setAnswers] = useState<Json>({});
  const key = keys.find((one) => answers[one] === undefined);
  const question = key === undefined ? undefined : props.questions[key];
  if (key === undefined || question === undefined) return null;
  const answered = (answer: Json): void => {
    const all = { ...answers, [key]: answer };
    setAnswers(all);
    if (keys.every((one) => all[one] !== undefined)) props.answer(all);
  };
  const { method, params } = question;
  if (method === 'sampling/createMessage') return <Sampling key={key} params={params} answer={answered} />;
  if (params['mode'] === 'url') return <UrlQuestion key={key} params={params} answer={answered} />;
  return <Elicitation key={key} params={params} answer={answered} />;
}

interface QuestionProps {
  readonly params: Json;
  readonly answer: (answer: Json) => void;
}

function Elicitation({ params, answer }: QuestionProps) {
  const { requestedSchema: schema } = params;
  return (
    <div role="group" aria-label="Question of the server" class="question">
      <p>{textIn(params['message'])}</p>
      <SchemaForm
        schema={isJson(schema) ? schema : {}}
        submit="Accept"
        empty="The server asks for nothing but your answer."
        onSubmit={(content) => answer({ action: 'accept', content })}
      >
        <button type="button" onClick={() => answer({ action: 'decline' })}>
          Decline
        </button>
        <button type="button" onClick={() => answer({ action: 'cancel' })}>
          Cancel
        </button>
      </SchemaForm>
    </div>
  );
}

/** The user answers in place of a model. */
function Sampling({ params, answer }: QuestionProps) {
  const [text, setText] = useState('');
  const content = { type: 'text', text };
  return (
    <div role="group" aria-label="The server asks for a completion" class="question">
      <Code label="Messages">{JSON.stringify(params['messages'], undefined, 2)}</Code>
      <label class="field">
        <span>The answer of the model</span>
        <textarea value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={() => answer({ role: 'assistant', model: 'user of the page', content })}>
        Answer
      </button>
    </div>
  );
}
