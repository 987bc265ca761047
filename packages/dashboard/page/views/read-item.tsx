import { useMemo, useState } from 'preact/hooks';

import type { Askers } from '../asker.js';
import type { Json } from '../connection.js';
import { useConversation } from '../conversation.js';
import { itemForm, suggestionParams, type ItemKind } from '../item-form.js';
import { suggestions } from '../mcp.js';
import type { Suggest } from '../schema/labels.js';
import { SchemaForm } from '../schema/schema-form.js';
import { textIn } from '../values.js';
import { Answered } from './answered.js';

/** Gets a prompt with its arguments, or reads a resource. The server's questions are shown here. */
export function ReadItem(props: {
  readonly kind: ItemKind;
  readonly entry: Json;
  readonly layer: string;
  readonly askers: Askers;
}) {
  const { kind, entry, layer, askers } = props;
  const form = useMemo(() => itemForm(kind, entry), [kind, entry]);
  const { method, schema, submit, empty, ref } = form;
  const conversation = useConversation({ method, layer });
  /** The URI that was expanded from a template. */
  const [made, setMade] = useState('');
  const suggest: Suggest = (argument, others, signal) =>
    ref === undefined
      ? Promise.resolve([])
      : suggestions(layer, suggestionParams(ref, argument, others), signal);
  const send = (typed: Json): void => {
    const params = form.params(typed);
    if (kind === 'resourceTemplates') setMade(textIn(params['uri']));
    conversation.request(params);
  };
  const busy = conversation.isOpen ? `Reading for ${conversation.seconds} s …` : undefined;
  return (
    <>
      <SchemaForm
        schema={schema}
        submit={submit}
        empty={empty}
        onSubmit={send}
        suggest={suggest}
        busy={busy}
      />
      {made !== '' && <p class="address">{made}</p>}
      <Answered conversation={conversation} askers={askers} />
    </>
  );
}
