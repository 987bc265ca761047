import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { ANYBODY, HOST, LOCAL, type Principal } from '../../guards/principal.js';
import { connected } from '../../testing/connected.js';
import { SessionRig } from '../../testing/session-rig.js';
import { SHARED } from '../../testing/stand-in-registry.js';
import { Layer } from '../../server/config/layer.js';
import type { Session } from '../session/session.js';
import { Affinity } from './affinity.js';

const gh = { name: parseServerName('gh'), layer: SHARED };
const other = { name: parseServerName('other'), layer: SHARED };
const TASK = 'mux1:gh:1';

describe('the owner of a task', () => {
  it('is the client that made it, gone once it has gone, and unknown of any other task', () => {
    const owners = new Affinity<Session>();
    const { session } = new SessionRig();
    owners.addTask(session, gh, TASK);
    expect(owners.ownerOfTask(gh, TASK)).toEqual({ client: session });
    expect(owners.ownerOfTask(gh, 'mux1:gh:2')).toBe('unknown');
    owners.forgetClient(session);
    expect(owners.ownerOfTask(gh, TASK)).toBe('gone');
  });

  it('is a principal where no connection stands behind the request', () => {
    const owners = new Affinity<Session>();
    const { session } = new SessionRig();
    owners.addPrincipalTask({ principal: session.principal }, gh, TASK);
    owners.addPrincipalTask({ principal: { ...session.principal, id: 'another' } }, gh, 'mux1:gh:2');
    expect(owners.isForeignTask(session, gh, TASK)).toBe(false);
    expect(owners.isForeignTask(session, gh, 'mux1:gh:2')).toBe(true);
    owners.forgetServer(gh);
    expect(owners.isForeignTask(session, gh, 'mux1:gh:2')).toBe(false);
  });

  it('H5: of another server of the same name, in another layer, is another one', () => {
    const owners = new Affinity<Session>();
    const [one, two] = [new SessionRig().session, new SessionRig().session];
    const first = { name: gh.name, layer: new Layer('session 1', SHARED) };
    const second = { name: gh.name, layer: new Layer('session 2', SHARED) };
    owners.addTask(one, first, TASK);
    owners.addTask(two, second, TASK);
    owners.forgetServer(second);
    expect([first, second, gh].map((server) => owners.ownerOfTask(server, TASK))).toEqual([
      { client: one },
      'unknown',
      'unknown',
    ]);
  });

  it('is unknown after its server began anew, which may number its tasks from one again', () => {
    const owners = new Affinity<Session>();
    const { session } = new SessionRig();
    owners.addTask(session, gh, TASK);
    owners.forgetServer(other);
    expect(owners.ownerOfTask(gh, TASK)).toEqual({ client: session });
    owners.forgetServer(gh);
    expect(owners.ownerOfTask(gh, TASK)).toBe('unknown');
  });

  it('that a client runs for a server is known to that run alone', () => {
    const owners = new Affinity<Session>();
    const { session } = new SessionRig();
    const [run, next] = [connected().connection, connected().connection];
    owners.addClientTask(session, run, 'c1');
    expect(owners.ownerOfClientTask(run, 'c1')).toEqual({ client: session });
    expect(owners.ownerOfClientTask(next, 'c1')).toBe('unknown');
  });
});

describe('the owner of an elicitation', () => {
  it('is another one at another server, though the id is the same', () => {
    const owners = new Affinity<Session>();
    const [one, two] = [new SessionRig().session, new SessionRig().session];
    owners.addElicitation(one, gh, 'e');
    owners.addElicitation(two, other, 'e');
    expect(owners.ownerOfElicitation(gh, 'e')).toEqual({ client: one });
    expect(owners.ownerOfElicitation(other, 'e')).toEqual({ client: two });
    owners.forgetServer(gh);
    expect(owners.ownerOfElicitation(gh, 'e')).toBe('unknown');
    expect(owners.ownerOfElicitation(other, 'e')).toEqual({ client: two });
  });
});

it('a task of a client that has gone is that of another for other principals alone', () => {
  const owners = new Affinity<{ readonly principal: Principal }>();
  const of = (id: string): { readonly principal: Principal } => ({
    principal: { id, roles: [], rights: [] },
  });
  const ann = of('ann');
  owners.addTask(ann, gh, TASK);
  expect(owners.isForeignTask(of('ann'), gh, TASK)).toBe(true);
  owners.forgetClient(ann);
  expect(owners.isForeignTask(of('ann'), gh, TASK)).toBe(false);
  expect(owners.isForeignTask(of('bob'), gh, TASK)).toBe(true);
});

it('a task is listed for no other client without credentials, which can get it by its id once its client has gone', () => {
  const owners = new Affinity<{ readonly principal: Principal }>();
  const [one, two] = [{ principal: ANYBODY }, { principal: ANYBODY }];
  owners.addTask(one, gh, TASK);
  owners.addPrincipalTask(one, gh, 'mux1:gh:2');
  expect(owners.isTaskListedFor(one, gh, TASK)).toBe(true);
  owners.forgetClient(one);
  for (const id of [TASK, 'mux1:gh:2', 'mux1:gh:from-before-a-restart']) {
    expect(owners.isTaskListedFor(two, gh, id)).toBe(false);
    expect(owners.isForeignTask(two, gh, id)).toBe(false);
  }
});

it('a task of a client that has gone is listed for the next client with its credentials', () => {
  const owners = new Affinity<{ readonly principal: Principal }>();
  const of = (id: string): { readonly principal: Principal } => ({
    principal: { id, roles: [], rights: [] },
  });
  const ann = of('ann');
  owners.addTask(ann, gh, TASK);
  owners.forgetClient(ann);
  expect([of('ann'), of('bob')].map((one) => owners.isTaskListedFor(one, gh, TASK))).toEqual([true, false]);
});

describe('H5: principals that share a server', () => {
  const of = (id: string): { readonly principal: Principal } => ({
    principal: { id, roles: [], rights: [] },
  });
  const [ann, bob] = [of('ann'), of('bob')];

  it('do not push out the tasks of each other', () => {
    const owners = new Affinity<{ readonly principal: Principal }>();
    owners.addTask(ann, gh, TASK);
    for (let task = 0; task < 10_001; task += 1) owners.addTask(bob, gh, `mux1:gh:bob-${task}`);
    expect(owners.ownerOfTask(gh, TASK)).toEqual({ client: ann });
    expect(owners.ownerOfTask(gh, 'mux1:gh:bob-0')).toBe('unknown');
  });

  it('are remembered by fewer tasks the longer the ids are that a server gives them', () => {
    const owners = new Affinity<{ readonly principal: Principal }>();
    const idOf = (task: number): string => `mux1:gh:${task}:${'x'.repeat(256_000)}`;
    for (let task = 0; task < 12; task += 1) owners.addTask(ann, gh, idOf(task));
    expect([0, 11].map((task) => owners.ownerOfTask(gh, idOf(task)))).toEqual(['unknown', { client: ann }]);
  });

  it('get no task without a known owner, whoever asks first; principals without credentials get it', () => {
    const owners = new Affinity<{ readonly principal: Principal }>();
    const open = [LOCAL, HOST, ANYBODY].map((principal) => ({ principal }));
    const callers = [ann, bob, of(LOCAL.id), of(ANYBODY.id), ...open];
    for (const asked of [callers, callers.toReversed()]) {
      const isRefused = new Map(asked.map((each) => [each, owners.isForeignTask(each, gh, TASK)]));
      expect(callers.map((each) => isRefused.get(each))).toEqual([
        true,
        true,
        true,
        true,
        false,
        false,
        false,
      ]);
    }
    expect(owners.isKnownForeignTask(ann, gh, TASK)).toBe(false);
  });
});
