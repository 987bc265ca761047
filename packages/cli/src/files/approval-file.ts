import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

import type { ApprovalStore, CallToApprove } from '@mcpmux/core/guards';

import { z, type Checked } from '../base/zod.js';
import { writeAtomically } from './atomic-write.js';
import { withFileLock } from './file-lock.js';
import { makeFolder } from './make-folder.js';
import { stateFolder, type StateContext } from './state-folder.js';

const OWNER_ONLY_MODE = 0o700;
/** The maximum number of approvals. A new approval beyond this limit evicts the oldest. */
const MAX_APPROVALS = 1000;

const schema = z.object({
  approvals: z.array(
    z.object({
      /** Identifies the calls that the approval covers. */
      digest: z.string(),
      server: z.string(),
      tool: z.string(),
      client: z.optional(z.string()),
      /** The time of the approval, in milliseconds since the Unix epoch. */
      since: z.number(),
    }),
  ),
});

/** A stored approval. It omits the call's arguments, which may contain secrets. */
export type StoredApproval = Checked<typeof schema>['approvals'][number];

/** Stores permanent approvals in a file that only its owner can read. */
export class ApprovalFile implements ApprovalStore {
  private readonly file: string;

  constructor(places: StateContext) {
    this.file = join(stateFolder(places), 'approvals.json');
  }

  /** Reads the file on each call, because another process may have withdrawn the approval. */
  has(digest: string): Promise<boolean> {
    return Promise.resolve().then(() => this.list().some((one) => one.digest === digest));
  }

  add(digest: string, { server, tool, client }: CallToApprove): Promise<void> {
    const approval = { digest, server, tool, ...(client !== undefined && { client }), since: Date.now() };
    return this.change((all) =>
      [...all.filter((one) => one.digest !== digest), approval].slice(-MAX_APPROVALS),
    );
  }

  /** Returns an empty list for a missing file. @throws a file system error, or an error for invalid contents */
  list(): readonly StoredApproval[] {
    try {
      return schema.parse(JSON.parse(readFileSync(this.file, 'utf8'))).approvals;
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Withdraws the approvals whose digests start with `start`. Resolves to their number. */
  async withdraw(start: string): Promise<number> {
    let count = 0;
    await this.change((all) => {
      const remainingApprovals = all.filter(({ digest }) => !digest.startsWith(start));
      count = all.length - remainingApprovals.length;
      return remainingApprovals;
    });
    return count;
  }

  private async change(edit: (all: readonly StoredApproval[]) => readonly StoredApproval[]): Promise<void> {
    makeFolder(dirname(this.file), OWNER_ONLY_MODE);
    await withFileLock(this.file, () => {
      writeAtomically(this.file, JSON.stringify({ approvals: edit(this.list()) }));
    });
  }
}
