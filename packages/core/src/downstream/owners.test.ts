import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { connected } from '../testing/connected.js';
import { SessionRig } from '../testing/session-rig.js';
import { Owners } from './owners.js';

const [gh, other] = [parseServerName('gh'), parseServerName('other')];
const TASK = 'mux1:gh:1';

describe('the owner of a task', () => {
  it('is the client that made it, gone once it has gone, and unknown of any other task', () => {
    const owners = new Owners();
    const { session } = new SessionRig();
    owners.taskMade(session, TASK);
    expect(owners.ofTask(TASK)).toEqual({ client: session });
    expect(owners.ofTask('mux1:gh:2')).toBe('unknown');
    owners.forgetSession(session);
    expect(owners.ofTask(TASK)).toBe('gone');
  });

  it('is unknown after its server began anew, which may number its tasks from one again', () => {
    const owners = new Owners();
    const { session } = new SessionRig();
    owners.taskMade(session, TASK);
    owners.forgetServer(other);
    expect(owners.ofTask(TASK)).toEqual({ client: session });
    owners.forgetServer(gh);
    expect(owners.ofTask(TASK)).toBe('unknown');
  });

  it('that a client runs for a server is known to that run alone', () => {
    const owners = new Owners();
    const { session } = new SessionRig();
    const [run, next] = [connected().connection, connected().connection];
    owners.clientTaskMade(session, run, 'c1');
    expect(owners.ofClientTask(run, 'c1')).toEqual({ client: session });
    expect(owners.ofClientTask(next, 'c1')).toBe('unknown');
  });
});

describe('the owner of an elicitation', () => {
  it('is another one at another server, though the id is the same', () => {
    const owners = new Owners();
    const [one, two] = [new SessionRig().session, new SessionRig().session];
    owners.elicited(one, gh, 'e');
    owners.elicited(two, other, 'e');
    expect(owners.ofElicitation(gh, 'e')).toEqual({ client: one });
    expect(owners.ofElicitation(other, 'e')).toEqual({ client: two });
    owners.forgetServer(gh);
    expect(owners.ofElicitation(gh, 'e')).toBe('unknown');
    expect(owners.ofElicitation(other, 'e')).toEqual({ client: two });
  });
});
