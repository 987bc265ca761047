import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import type { Json } from '../connection.js';
import { callTool, type Ask, type Question } from '../mcp.js';
import { Code, Message } from '../parts.js';
import { SchemaFields, typedArguments, type Typed } from '../schema-form.js';
import { Questions } from './questions.js';

interface Asked {
  readonly questions: Readonly<Record<string, Question>>;
  readonly answer: (answers: Json) => void;
}

/** A form that calls a tool. Questions of its server are put here. */
export function TryTool({ name, schema }: { readonly name: string; readonly schema: Json }) {
  const [typed, setTyped] = useState<Typed>({});
  const { message, result, asked, call } = useCall(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        call(() => typedArguments(schema, typed));
      }}
    >
      <fieldset>
        <legend>Try it</legend>
        <SchemaFields schema={schema} typed={typed} onTyped={setTyped} />
        <p>
          <button type="submit">Call {name}</button>
        </p>
        <Message text={message} />
        {asked !== undefined && <Questions questions={asked.questions} answer={asked.answer} />}
        {result !== undefined && <Code label="Result">{textOf(result)}</Code>}
      </fieldset>
    </form>
  );
}

/** One call at a time of a tool, from its arguments to its result. */
function useCall(name: string) {
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
      setAsked({ questions, answer });
    });
  const progress = ({ progress: at, message: text = '' }: Json): void =>
    tell(`Progress ${String(at)} ${String(text)}`);
  const called = async (args: () => Json): Promise<string> => {
    setResult(undefined);
    const before = performance.now();
    const found = await callTool(name, args(), ask, progress);
    setResult(found);
    const outcome = found['isError'] === true ? 'The tool has failed' : 'Answered';
    return `${outcome} after ${Math.round(performance.now() - before)} ms.`;
  };
  return { message, result, asked, call: (args: () => Json) => run(() => called(args)) };
}

/** The texts of a result; JSON for everything else in it. */
function textOf(result: Json): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly Json[]) : [];
  const texts = content.map((block) =>
    typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block),
  );
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(result, undefined, 2);
}
