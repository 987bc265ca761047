import type { Askers } from '../asker.js';
import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { SchemaForm } from '../schema/schema-form.js';
import { Answered } from './answered.js';

/** Shows a form that calls a tool. The server's questions are shown here. */
export function TryTool(props: {
  readonly name: string;
  readonly schema: Json;
  readonly layer: string;
  readonly askers: Askers;
}) {
  const { name, schema, layer, askers } = props;
  const conversation = useConversation({ method: 'tools/call', layer });
  return (
    <>
      <h3>Try it</h3>
      <SchemaForm
        schema={schema}
        submit={`Call ${name}`}
        empty="The tool takes no arguments."
        busy={conversation.isOpen ? `Calling for ${conversation.seconds} s …` : undefined}
        onSubmit={(typed) => conversation.request({ name, arguments: typed })}
      />
      <Answered conversation={conversation} askers={askers} />
    </>
  );
}
