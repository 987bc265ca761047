import { PendingTable } from './pending-table.js';

/**
 * A set whose members come and go with requests, in the order in which they came. It keeps nothing alive that has left
 * it: in V8 the old tables of a set do, as those of a map ({@link PendingTable}).
 */
export class RenewedSet<Member> implements Iterable<Member> {
  private readonly members = new PendingTable<Member, Member>();

  get size(): number {
    return this.members.size;
  }

  has(member: Member): boolean {
    return this.members.has(member);
  }

  add(member: Member): void {
    this.members.add(member, member);
  }

  /** Returns false for what is no member. */
  delete(member: Member): boolean {
    return this.members.take(member) !== undefined;
  }

  /** The members of this moment, whatever comes and goes meanwhile. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.members.values()].values();
  }
}
