import type { CallContent } from '../../src/data/call-record.js';
import { problemOf } from '../action.js';
import { outcomeOf, type ListedCall } from '../call-list.js';
import { get, type Json } from '../connection.js';
import { useLatestAnswer } from '../latest-answer.js';
import { Panel } from '../panel.js';
import { Code, CutMark, Facts, Message, Status, Tokens } from '../parts.js';
import { ResultView } from '../result-view.js';
import { beginningOf, duration, moment, pretty, size } from '../texts.js';
import { isJson } from '../values.js';

/** Shows a call with its arguments and its result, which are read again when the call ends. */
export function OneCall({ call, close }: { readonly call: ListedCall; readonly close: () => void }) {
  const { call: number, ending, server, tool, client, session, problem: why } = call;
  const read = (): Promise<CallContent> => get<CallContent>(`call?call=${number}`);
  const { value: content, error } = useLatestAnswer(read, String(number), ending ?? '');
  return (
    <Panel id="content" title={tool} close={close}>
      <p>
        <Status value={outcomeOf(call)} /> <span class="calm">call {number}</span>
      </p>
      {why !== undefined && <p class="box bad">{why}</p>}
      <Facts
        facts={[
          ['Server', server],
          ['Client', client ?? `session ${session}`],
          ['Started', moment(call.time)],
          ['Duration', call.isInFlight ? 'in flight' : duration(call.ms)],
          ['Request', size(call.sent)],
          ['Answer', size(call.received)],
          ['Tokens', <Tokens bytes={call.received} />],
        ]}
      />
      {error !== undefined && <Message text={problemOf(error)} isProblem />}
      {content !== undefined && (
        <>
          <h3>Arguments</h3>
          <Code label="Arguments">{pretty(content.arguments)}</Code>
          <CutMark text={content.arguments} bytes={content.argumentsBytes} />
          <h3>Result</h3>
          <Answer text={content.result} />
          <CutMark text={content.result} bytes={content.resultBytes} />
        </>
      )}
    </Panel>
  );
}

/** Shows a result. The page gets only the beginning of a long result, which is then not valid JSON. */
function Answer({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <Code label="Result">not answered yet</Code>;
  const result = parsed(text);
  if (result !== undefined) return <ResultView result={result} />;
  return <Code label="Result">{beginningOf(text)}</Code>;
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
