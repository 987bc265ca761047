import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { SchemaForm } from '../schema/schema-form.js';
import { Answered } from './answered.js';

/** A form that calls a tool. Questions of its server are put here. */
export function TryTool({ name, schema }: { readonly name: string; readonly schema: Json }) {
  const conversation = useConversation('tools/call');
  return (
    <>
      <h3>Try it</h3>
      <SchemaForm
        schema={schema}
        submit={`Call ${name}`}
        empty="The tool takes no arguments."
        onSubmit={(typed) => conversation.request(() => ({ name, arguments: typed }))}
      />
      <Answered conversation={conversation} />
    </>
  );
}
