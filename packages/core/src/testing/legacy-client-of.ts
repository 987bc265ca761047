import { MuxClient } from './mux-client.js';
import { MuxRig } from './mux-rig.js';

const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
  tasks: {},
};

/** A request as the server got it. */
interface Heard {
  readonly method: string;
  readonly params: { readonly _meta: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** A mux whose legacy client declares these capabilities, in front of a fixture. */
export async function legacyClientOf(
  fixture: Parameters<MuxRig['add']>[1],
  capabilities: object = EVERYTHING,
) {
  const rig = await MuxRig.open();
  const client = await MuxClient.initialized(rig.mux, capabilities);
  await rig.add('m', fixture);
  return {
    rig,
    client,
    heard: async (): Promise<Heard[]> => {
      const { result } = await client.call('m__heard');
      const { content } = result as { content: { text: string }[] };
      return content.map(({ text }) => JSON.parse(text) as Heard);
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}
