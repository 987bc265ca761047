import { useState } from 'preact/hooks';

import { askedBy, type Askers } from '../asker.js';
import type { Json } from '../connection.js';
import type { Question, Questions as AllQuestions } from '../rounds.js';
import { SchemaForm } from '../schema/schema-form.js';
import { isJson } from '../values.js';
import { QuestionFrame, Refusals, type PlaceOfQuestion, type QuestionProps } from './question-frame.js';
import { Sampling } from './sampling.js';
import { UrlQuestion } from './url-question.js';

/** Shows the questions of a server one after the other. */
export function Questions(props: {
  readonly questions: AllQuestions;
  readonly answer: (answers: Json) => void;
  readonly askers: Askers;
}) {
  const { questions, askers } = props;
  const keys = Object.keys(questions);
  const [answers, setAnswers] = useState<Json>({});
  const key = keys.find((one) => !Object.hasOwn(answers, one));
  const question = key === undefined ? undefined : questions[key];
  if (key === undefined || question === undefined) return null;
  const answered = (answer: Json): void => {
    const all = { ...answers, [key]: answer };
    setAnswers(all);
    if (keys.every((one) => Object.hasOwn(all, one))) props.answer(all);
  };
  const number = keys.indexOf(key) + 1;
  const place = keys.length === 1 ? undefined : { number, of: keys.length };
  return <OneQuestion key={key} question={question} askers={askers} place={place} answer={answered} />;
}

function OneQuestion(props: {
  readonly question: Question;
  readonly askers: Askers;
  readonly place: PlaceOfQuestion | undefined;
  readonly answer: (answer: Json) => void;
}) {
  const { question, askers, place, answer } = props;
  const { method, params } = question;
  const asked = { ...askedBy(question, askers), params, place, answer };
  if (method === 'sampling/createMessage') return <Sampling {...asked} />;
  if (method !== 'elicitation/create') {
    const does = `asks for ${method}, which the page cannot answer. Cancel the request.`;
    return <QuestionFrame label="Question of the server" {...{ place, does }} asker={asked.asker} />;
  }
  return params['mode'] === 'url' ? <UrlQuestion {...asked} /> : <Elicitation {...asked} />;
}

function Elicitation({ asker, message, params, place, answer }: QuestionProps) {
  const { requestedSchema: schema } = params;
  return (
    <QuestionFrame label="Question of the server" asker={asker} place={place} does="asks:">
      <p class="prose">{message}</p>
      <SchemaForm
        schema={{ properties: {}, ...(isJson(schema) && schema) }}
        submit="Accept"
        empty="The server asks for nothing but your answer."
        onSubmit={(content) => answer({ action: 'accept', content })}
      >
        <Refusals answer={answer} />
      </SchemaForm>
    </QuestionFrame>
  );
}
