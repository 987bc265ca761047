import { useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { Field } from '../parts.js';
import { Answered } from './answered.js';

/** Gets a prompt with its arguments, or reads a resource. Questions of the server are put here. */
export function ReadItem(props: {
  readonly kind: 'prompts' | 'resources';
  readonly entry: Json;
  readonly layer: string;
}) {
  const { kind, entry, layer } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isPrompt = kind === 'prompts';
  const method = isPrompt ? 'prompts/get' : 'resources/read';
  const conversation = useConversation({ method, layer });
  const fields = Array.isArray(entry['arguments']) ? (entry['arguments'] as readonly Json[]) : [];
  const params = (): Json => (isPrompt ? { name: entry['name'], arguments: typed } : { uri: entry['uri'] });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          conversation.request(params);
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
          <button type="submit" class="primary">
            {isPrompt ? 'Get the prompt' : 'Read the resource'}
          </button>
        </p>
      </form>
      <Answered conversation={conversation} />
    </>
  );
}
