import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import type { Json } from '../connection.js';
import { request } from '../mcp.js';
import { Code, Field, Message } from '../parts.js';

/** Gets a prompt with its arguments, or reads a resource. */
export function ReadItem({ kind, entry }: { readonly kind: 'prompts' | 'resources'; readonly entry: Json }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { message, run } = useAct();
  const [result, setResult] = useState('');
  const names = Array.isArray(entry['arguments']) ? (entry['arguments'] as readonly Json[]) : [];
  const isPrompt = kind === 'prompts';
  const read = async (): Promise<void> => {
    const params = isPrompt ? { name: entry['name'], arguments: typed } : { uri: entry['uri'] };
    const found = await request(isPrompt ? 'prompts/get' : 'resources/read', params);
    setResult(JSON.stringify(found, undefined, 2));
  };
  return (
    <div>
      {names.map(({ name }) => (
        <Field
          key={String(name)}
          label={String(name)}
          value={typed[String(name)] ?? ''}
          onInput={(value) => setTyped({ ...typed, [String(name)]: value })}
        />
      ))}
      <p>
        <button type="button" onClick={() => run(read)}>
          {isPrompt ? 'Get the prompt' : 'Read the resource'}
        </button>
      </p>
      <Message text={message} />
      {result !== '' && <Code label="Result">{result}</Code>}
    </div>
  );
}
