import { useAction } from '../action.js';
import { post } from '../connection.js';
import type { ApprovalView } from '../../src/data/overview-shown.js';
import { useNow } from '../now.js';
import { Ago, Code, Message } from '../parts.js';
import { SureButton } from '../sure-button.js';

/** The buttons that let a call pass, by scope. */
const ALLOW = {
  once: 'Allow this call',
  session: 'Allow in this session',
  always: 'Allow always',
} as const;

/** Shows the calls that wait for an approval, above each view. */
export function Approvals(props: {
  readonly approvals: readonly ApprovalView[];
  readonly mayManage: boolean;
  readonly refresh: () => void;
}) {
  const { approvals, ...rest } = props;
  const act = useAction();
  return (
    <div>
      {/* A screen reader reads the number aloud, and not each second of each call. */}
      <p role="status">{approvals.length > 0 && `Calls that wait for your approval: ${approvals.length}`}</p>
      {approvals.length > 0 && (
        <section aria-label="Approvals">
          {approvals.map((approval) => (
            <OneApproval key={approval.id} {...{ approval, act, ...rest }} />
          ))}
        </section>
      )}
      <Message {...act.outcome} />
    </div>
  );
}

function OneApproval(props: {
  readonly approval: ApprovalView;
  readonly mayManage: boolean;
  readonly refresh: () => void;
  readonly act: ReturnType<typeof useAction>;
}) {
  const { approval, mayManage, refresh, act } = props;
  const { id, server, tool, client = 'a client without a name', principal, session, scopes } = approval;
  const answer = (isAllowed: boolean, scope = 'once'): void =>
    act.run(
      () => post('approve', { id, isAllowed, scope }).finally(refresh),
      isAllowed ? `Allowed ${tool}.` : `Refused ${tool}.`,
    );
  return (
    <div role="group" aria-label={`Approval: ${tool} of ${server}`} class="question">
      <p>
        {client} <span class="calm">wants to call</span> {tool} <span class="calm">of the server</span>{' '}
        {server}
      </p>
      <p class="calm">
        session {session}, {principal}, <Ago time={approval.since} now={useNow()} />. The same call has the
        same arguments, to the byte, of the same unchanged tool.
      </p>
      {approval.arguments !== undefined && <Code label="Arguments">{approval.arguments}</Code>}
      {mayManage ? (
        <p class="actions">
          {scopes.map((scope) => (
            <SureButton
              key={scope}
              label={ALLOW[scope]}
              question={`${ALLOW[scope]}?`}
              act={() => answer(true, scope)}
            />
          ))}
          <button type="button" onClick={() => answer(false)}>
            Refuse
          </button>
        </p>
      ) : (
        <p class="calm">This page is for reading only. In a terminal: mcpmux approve</p>
      )}
    </div>
  );
}
