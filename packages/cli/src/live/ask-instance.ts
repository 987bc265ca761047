import { text as readAll } from 'node:stream/consumers';

import { z, type Checked } from '../base/zod.js';
import type { Announcement } from './announcement.js';
import type { CallSummary } from '@mcpmux/dashboard';
import { controlLine, type AnsweredApproval, type ControlQuestion } from './control-line.js';
import { connectSocket } from './instances.js';

const calls = z.record(
  z.string(),
  z.object({
    count: z.number(),
    failed: z.number(),
    running: z.number(),
    p50: z.optional(z.number()),
    p95: z.optional(z.number()),
  }),
);

/**
 * Sends a command to an instance, and resolves with the one-line response.
 *
 * @throws the error of the system if no process listens; Error if the instance ends before it answers
 */
export async function askInstance(
  instance: Announcement,
  question: ControlQuestion,
  signal?: AbortSignal,
): Promise<unknown> {
  const socket = await connectSocket(instance, signal);
  signal?.addEventListener('abort', () => socket.destroy());
  socket.write(`${controlLine(question)}\n`);
  const answer = await readAll(socket);
  if (answer === '') throw new Error(`the mcpmux with pid ${instance.pid} ended without an answer`);
  return JSON.parse(answer);
}

const windows = z.object({
  windows: z.array(z.object({ id: z.number(), pid: z.number(), cwd: z.string(), since: z.number() })),
  sharing: z.optional(z.object({ environment: z.record(z.string(), z.string()), options: z.string() })),
});

/** A window of a shared process. */
export type WindowOfInstance = Checked<typeof windows>['windows'][number];

/**
 * The windows of a shared process. A process of an older version, and a process that is ending, do not report the
 * settings that their windows share.
 */
export type WindowsOfInstance = Checked<typeof windows>;

/**
 * Returns a shared process's windows, after a command about them.
 *
 * @throws the error of the system if no process listens, and the error of a signal
 */
export async function windowsOf(
  instance: Announcement,
  command: 'windows' | 'stop' | 'restart-shared' = 'windows',
  signal?: AbortSignal,
): Promise<WindowsOfInstance> {
  return windows.parse(await askInstance(instance, { command }, signal));
}

/** The time limit for a link. A mcpmux of an older version without a page would never respond. */
const PAGE_WITHIN_MS = 10_000;
const paged = z.union([
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ url: z.string(), file: z.optional(z.string()) }),
]);

/** A link to the page of an mcpmux instance. */
export interface PageLink {
  /** A URL that opens the page once. */
  readonly url: string;
  /**
   * A file that redirects a browser to the URL, if the command requested it. An instance of an older version writes no
   * file.
   */
  readonly file?: string | undefined;
}

/**
 * Returns a link to the page of an instance.
 *
 * @param isOpened true if a browser will open the link, which also needs the file
 * @throws InstanceRefusal; Error if the instance has no page; the error of the system if no process listens
 */
export async function pageOf(
  instance: Announcement,
  { isReadOnly, isOpened }: { readonly isReadOnly: boolean; readonly isOpened: boolean },
): Promise<PageLink> {
  const late = AbortSignal.timeout(PAGE_WITHIN_MS);
  const silent = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('it is of a version without a page')));
  });
  const asked = askInstance(instance, { command: 'page', isReadOnly, isOpened });
  const answer = paged.parse(await Promise.race([asked, silent]));
  if ('error' in answer) throw new InstanceRefusal(answer.error.code, answer.error.message);
  return answer;
}

const managed = z.union([
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ status: z.string(), tools: z.number() }),
]);

/** An instance could not do what a command requested. */
export class InstanceRefusal extends Error {
  override readonly name = 'InstanceRefusal';

  constructor(
    /** A code of `MuxError`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Restarts or removes a server of an instance, for all clients that use it.
 *
 * @throws InstanceRefusal; the error of the system if no process listens
 */
export async function manageServer(
  instance: Announcement,
  command: 'restart' | 'remove',
  name: string,
): Promise<{ readonly status: string; readonly tools: number }> {
  const answer = managed.parse(await askInstance(instance, { command, name }));
  if ('error' in answer) throw new InstanceRefusal(answer.error.code, answer.error.message);
  return answer;
}

const clients = z.object({
  clients: z.array(
    z.object({
      session: z.number(),
      client: z.optional(z.string()),
      protocol_version: z.optional(z.string()),
      connected_seconds: z.number(),
      in_flight: z.number(),
    }),
  ),
});
/** A client of an instance. */
export type ClientOfInstance = Checked<typeof clients>['clients'][number];

/**
 * The time limit for the list of clients. A mcpmux of an older version takes the request for the beginning of a
 * session, and never answers.
 */
const CLIENTS_WITHIN_MS = 2000;

/**
 * Returns the connected clients that have sent their names. Commands do not send a name. Undefined if the version of
 * the instance does not have this command.
 */
export async function clientsOf(instance: Announcement): Promise<readonly ClientOfInstance[] | undefined> {
  const late = AbortSignal.timeout(CLIENTS_WITHIN_MS);
  const answer = await askInstance(instance, { command: 'clients' }, late).catch(() => undefined);
  return clients.safeParse(answer).data?.clients.filter(({ client }) => client !== undefined);
}

const scope = z.enum(['once', 'session', 'always']);
const approvals = z.object({
  isAnswered: z.boolean(),
  approvals: z.array(
    z.object({
      id: z.number(),
      server: z.string(),
      tool: z.string(),
      arguments: z.string(),
      client: z.optional(z.string()),
      session: z.number(),
      since: z.number(),
      scopes: z.array(scope),
    }),
  ),
});
/** A call that waits for an approval in an instance. */
export type ApprovalOfInstance = Checked<typeof approvals>['approvals'][number];

/** Returns the calls that wait for an approval. None if the version of the instance does not have this command. */
export async function approvalsOf(instance: Announcement): Promise<readonly ApprovalOfInstance[]> {
  const late = AbortSignal.timeout(CLIENTS_WITHIN_MS);
  const answer = await askInstance(instance, { command: 'approvals' }, late).catch(() => undefined);
  return approvals.safeParse(answer).data?.approvals ?? [];
}

/**
 * Answers a call that waits for an approval. Resolves to false if it no longer waits, or cannot have the scope.
 * Rejects with the error of the system if no process listens.
 */
export async function answerApproval(instance: Announcement, answer: AnsweredApproval): Promise<boolean> {
  return approvals.parse(await askInstance(instance, { command: 'approvals', answer })).isAnswered;
}

/** Returns the calls so far, by server. Empty if the version of the instance does not have this command. */
export async function callsOf(instance: Announcement): Promise<Readonly<Record<string, CallSummary>>> {
  const answer = await askInstance(instance, { command: 'calls' }).catch(() => ({}));
  return calls.safeParse(answer).data ?? {};
}
