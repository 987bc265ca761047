import { PendingTable } from './pending-table.js';

/**
 * A set whose members come and go with requests, in insertion order. It keeps no removed members alive. A plain set
 * would do so, because in V8 its old tables are linked like those of a map ({@link PendingTable}).
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

  /** Returns false if the set does not contain the member. */
  delete(member: Member): boolean {
    return this.members.take(member) !== undefined;
  }

  /** Iterates over a snapshot of the members, which later changes do not affect. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.members.values()].values();
  }
}
