import { AskingClient, type Endings, type Era } from './asking-client.js';
import type { AskingPlace } from './asking-places.js';

/** The eras of the servers at an asking place. */
export const SERVER_ERAS: readonly Era[] = ['legacy', 'modern'];

/** Two clients of one era at one place. */
export class AskingPair implements AsyncDisposable {
  private constructor(
    readonly alice: AskingClient,
    readonly bob: AskingClient,
  ) {}

  static async open(place: AskingPlace, era: Era): Promise<AskingPair> {
    const [alice, bob] = await Promise.all([
      AskingClient.open('alice', era, place.transport()),
      AskingClient.open('bob', era, place.transport()),
    ]);
    await Promise.all([alice.untilListed(), bob.untilListed()]);
    return new AskingPair(alice, bob);
  }

  /** Both make calls at the same time, whose users answer at once. */
  async interleaved(server: Era, calls: number): Promise<Endings> {
    const [ofAlice, ofBob] = await Promise.all([
      this.alice.ask(server, calls / 2, 2),
      this.bob.ask(server, calls / 2, 2),
    ]);
    return sumOf(ofAlice, ofBob);
  }

  /** Alice makes calls while Bob's user leaves a question of his own unanswered, and answers it when they are over. */
  async whileOneWaits(server: Era, calls: number): Promise<Endings> {
    let answer = (): void => undefined;
    this.bob.answers = new Promise((resolve) => (answer = resolve));
    const waiting = this.bob.ask(server, 1, 1);
    await this.bob.hasQuestion();
    const ofAlice = await this.alice.ask(server, calls, 2);
    answer();
    return sumOf(ofAlice, await waiting);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alice[Symbol.asyncDispose]();
    await this.bob[Symbol.asyncDispose]();
  }
}

function sumOf(one: Endings, two: Endings): Endings {
  return {
    calls: one.calls + two.calls,
    refused: one.refused + two.refused,
    crossed: [...one.crossed, ...two.crossed],
  };
}
