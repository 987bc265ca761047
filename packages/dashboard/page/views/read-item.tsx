import { useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { Code, Field, Message } from '../parts.js';
import { textIn } from '../texts.js';
import { Questions } from './questions.js';

/** Gets a prompt with its arguments, or reads a resource. Questions of the server are put here. */
export function ReadItem({ kind, entry }: { readonly kind: 'prompts' | 'resources'; readonly entry: Json }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isPrompt = kind === 'prompts';
  const { message, result, asked, request } = useConversation(isPrompt ? 'prompts/get' : 'resources/read');
  const fields = Array.isArray(entry['arguments']) ? (entry['arguments'] as readonly Json[]) : [];
  const params = (): Json => (isPrompt ? { name: entry['name'], arguments: typed } : { uri: entry['uri'] });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          request(params);
        }}
      >
        {fields.map(({ name, required }) => (
          <Field
            key={String(name)}
            label={`${String(name)}${required === true ? ' (required)' : ''}`}
            value={typed[String(name)] ?? ''}
            onInput={(value) => setTyped({ ...typed, [String(name)]: value })}
          />
        ))}
        <p>
          <button type="submit">{isPrompt ? 'Get the prompt' : 'Read the resource'}</button>
        </p>
      </form>
      <Message text={message} />
      {asked !== undefined && <Questions questions={asked.questions} answer={asked.answer} />}
      {result !== undefined && <Code label="Result">{textsOf(result)}</Code>}
    </>
  );
}

/** The texts of messages or contents, each with its role or URI; JSON for everything else. */
function textsOf({ messages, contents, ...rest }: Json): string {
  const parts = [...((messages ?? contents ?? []) as readonly Json[])];
  if (parts.length === 0) return JSON.stringify(rest, undefined, 2);
  return parts
    .map((part) => {
      const { role, uri, content } = part;
      const text = textIn(part['text']) || textIn(((content ?? {}) as Json)['text']);
      return `${textIn(role) || textIn(uri)}:\n${text || JSON.stringify(content ?? part, undefined, 2)}`;
    })
    .join('\n\n');
}
