import { useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { Code, Message } from '../parts.js';
import { SchemaFields, typedArguments, type Typed } from '../schema-form.js';
import { Questions } from './questions.js';

/** A form that calls a tool. Questions of its server are put here. */
export function TryTool({ name, schema }: { readonly name: string; readonly schema: Json }) {
  const [typed, setTyped] = useState<Typed>({});
  const { message, result, asked, request } = useConversation('tools/call');
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          request(() => ({ name, arguments: typedArguments(schema, typed) }));
        }}
      >
        <fieldset>
          <legend>Try it</legend>
          <SchemaFields schema={schema} typed={typed} onTyped={setTyped} />
          <p>
            <button type="submit">Call {name}</button>
          </p>
        </fieldset>
      </form>
      <Message text={message} />
      {asked !== undefined && <Questions questions={asked.questions} answer={asked.answer} />}
      {result !== undefined && <Code label="Result">{textOf(result)}</Code>}
    </>
  );
}

/** The texts of a result; JSON for everything else in it. */
function textOf(result: Json): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly Json[]) : [];
  const texts = content.map((block) =>
    typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block),
  );
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(result, undefined, 2);
}
