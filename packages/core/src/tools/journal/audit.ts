import type { Upstream } from '../../upstream/upstream.js';
import { commandLine } from './command-line.js';

/** One thing that was done to servers, or refused. No value of a secret is in it. */
export interface AuditRecord {
  /**
   * `add`, `remove` and `reload` are told when they are decided, `spawn` for every process of a server that is started
   * or cannot be, `change` when its tools are not as they were approved, `approve` when they are to be as they are now,
   * `persist` and `forget` when it is kept for later starts, and is not any more.
   */
  readonly action: 'add' | 'remove' | 'reload' | 'spawn' | 'change' | 'approve' | 'persist' | 'forget';
  readonly server: string;
  /** The command line, without secrets. */
  readonly command: string;
  /** `refused`: by the policy, or by blocking what has changed. `failed`: it could not be done. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /** What allowed, caused or refused it: a rule of the policy, `host`, `restart`, `start failed`, `registry`, `pin warn`, … */
  readonly rule: string;
  /** Number of the client's session, 1 for the first; absent when mcpmux or its host did it. */
  readonly session?: number;
  /** Of the process that was started. */
  readonly pid?: number;
  /** The tools that have changed, as far as they fit. */
  readonly tools?: readonly string[];
}

/** Takes records of what was done. */
export type Audit = (record: AuditRecord) => void;

/** What every record about a registered server says. */
export function auditedServer({ name, shown }: Upstream): Pick<AuditRecord, 'server' | 'command'> {
  return { server: name, command: commandLine(shown) };
}
