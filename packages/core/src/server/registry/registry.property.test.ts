import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { errorCodeOf } from '@mcpmux/kit';

import { FakeSpawner } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';

/** The name of a server is its argument too, so that the process tells whose it is. */
const configOf = (name: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [name],
});

const command = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  what: fc.constantFrom('add', 'remove', 'reload'),
});
const commands = fc.array(command, { minLength: 1, maxLength: 14, size: 'max' });
type Command = { readonly name: string; readonly what: string };

/** What became of one command: what the model says, and what the registry did. */
interface Outcome {
  readonly expected: 'done' | 'SERVER_EXISTS' | 'SERVER_NOT_FOUND';
  readonly actual: Promise<string>;
}

/** A registry over servers that answer when the scheduler lets them, and the names that it must hold. */
class Interleaving {
  readonly names: string[] = [];
  readonly outcomes: Outcome[] = [];
  /** Servers that were started while another process of their name was alive. */
  readonly doubles: string[] = [];
  readonly spawner: FakeSpawner;
  readonly rig: RegistryRig;

  constructor(scheduler: fc.Scheduler, fails: (start: number) => boolean) {
    this.spawner = new FakeSpawner(() => {
      const isFailing = fails(this.spawner.servers.length);
      return {
        intercept: ({ method }, proceed, server) => {
          const act = isFailing ? (): void => server.exit(3) : proceed;
          void scheduler.schedule(Promise.resolve(), method).then(act);
        },
      };
    });
    this.rig = RegistryRig.overFakes(this.spawner, {
      spawn: (spec) => {
        const [name = ''] = spec.args;
        if (this.spawner.alive.some((server) => server.spec.args[0] === name)) this.doubles.push(name);
        return this.spawner.spawn(spec);
      },
    });
  }

  /** Names of the servers that have a process. */
  get alive(): ReadonlySet<string | undefined> {
    return new Set(this.spawner.alive.map(({ spec }) => spec.args[0]));
  }

  run({ name, what }: Command): void {
    const isThere = this.names.includes(name);
    if (what === 'add' && !isThere) this.names.push(name);
    if (what === 'remove' && isThere) this.names.splice(this.names.indexOf(name), 1);
    const refusal = what === 'add' ? 'SERVER_EXISTS' : 'SERVER_NOT_FOUND';
    const isRefused = what === 'add' ? isThere : !isThere;
    const actual = this.do(name, what).then(
      () => 'done',
      (error: unknown) => errorCodeOf(error) ?? String(error),
    );
    this.outcomes.push({ expected: isRefused ? refusal : 'done', actual });
  }

  private async do(name: string, what: string): Promise<unknown> {
    const { registry } = this.rig;
    if (what === 'add') return registry.add(name, configOf(name)).started;
    return what === 'remove' ? registry.remove(name) : registry.reload(name);
  }
}

/** Runs the commands at moments that the scheduler picks, and waits until all is settled. */
async function interleave(
  scheduler: fc.Scheduler,
  all: readonly Command[],
  model: Interleaving,
): Promise<void> {
  const { task } = scheduler.scheduleSequence(
    all.map((each) => ({ label: `${each.what} ${each.name}`, builder: async () => model.run(each) })),
  );
  await scheduler.waitFor(task.then(() => Promise.all(model.outcomes.map(({ actual }) => actual))));
}

describe('whenever servers are added, removed and reloaded', () => {
  it('M9, E6: the registry ends as if one had come after the other, each name has one process, and none is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commands, async (scheduler, all) => {
        const model = new Interleaving(scheduler, () => false);
        await using rig = model.rig;
        await interleave(scheduler, all, model);
        expect(rig.names).toEqual(model.names);
        expect(rig.states).toEqual(model.names.map(() => 'running'));
        expect(model.alive).toEqual(new Set(model.names));
        expect(model.doubles).toEqual([]);
        for (const { expected, actual } of model.outcomes) {
          // What was removed before it was running says so to whoever waited for it.
          const allowed = expected === 'done' ? ['done', 'SERVER_REMOVED'] : [expected];
          expect(allowed).toContain(await actual);
        }
        await rig.registry.shutDown();
        expect(model.spawner.alive.length).toBe(0);
      }),
      propertyRuns(25),
    );
  });

  it('servers that do not start leave no process either, and every caller is answered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        commands,
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        async (scheduler, all, failing) => {
          const model = new Interleaving(scheduler, (start) => failing[start % failing.length] === true);
          await using rig = model.rig;
          await interleave(scheduler, all, model);
          const running = rig.registry.list().filter(({ state }) => state.kind === 'running');
          expect(model.alive).toEqual(new Set(running.map(({ name }) => name)));
          expect(model.spawner.alive.length).toBe(running.length);
          expect(rig.states).not.toContain('starting');
          expect(model.doubles).toEqual([]);
        },
      ),
      propertyRuns(25),
    );
  });
});
