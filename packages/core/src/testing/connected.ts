import { DEFAULT_LIMITS, type AllLimits, NO_MASK, type TextMask } from '@mcpmux/kit';
import { type ChannelEnd, ErrorCode, errorLine, keyPaths, memoryChannels, readMessage } from '@mcpmux/wire';
import { Connection } from '../server/link/connection.js';
import type { OutgoingCall } from '../server/link/calls.js';
import { DIALECT } from './dialect.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RecordingLogger } from './recording-logger.js';
import { ServerPeer } from './server-peer.js';

const WANTED = keyPaths(['name', '_meta.progressToken', 'requestId']);

/** A connection to a server that the test plays. */
export interface Connected {
  readonly connection: Connection;
  readonly server: ServerPeer;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  /** The notifications that the connection's owner was told of. */
  readonly notifications: readonly string[];
  readonly ends: readonly ChannelEnd[];
  /** The lines that are no MCP. */
  readonly stray: readonly string[];
}

/** Opens a connection over two channels in memory. */
export function connected(limits: Partial<AllLimits> = {}, mask: TextMask = NO_MASK): Connected {
  const [near, far] = memoryChannels();
  const notifications: string[] = [];
  const ends: ChannelEnd[] = [];
  const stray: string[] = [];
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const connection: Connection = new Connection(
    near,
    {
      inbox: {
        onNotification: (_line, { method }) => notifications.push(method),
        onRequest: (_line, { method }, id) =>
          connection.send(
            errorLine(id, { code: ErrorCode.MethodNotFound, message: `nobody answers ${method}` }),
          ),
      },
      onEnd: (end) => ends.push(end),
      onStrayLine: (line) => stray.push(line),
    },
    { clock, logger, limits: { ...DEFAULT_LIMITS, ...limits }, dialect: DIALECT, server: 'echo', mask },
  );
  connection.open();
  return { connection, server: new ServerPeer(far), clock, logger, notifications, ends, stray };
}

/** A client's `tools/call` line as a session hands it on; its name is replaced by `localName` when that is given. */
export function outgoingCall(line: string, localName?: string): OutgoingCall {
  const bytes = Buffer.from(line);
  const message = readMessage(bytes, WANTED);
  if (message.kind !== 'request') throw new Error(`no request: ${line}`);
  const name = message.params.get('name');
  const edits =
    name === undefined || localName === undefined
      ? []
      : [{ span: name, bytes: Buffer.from(JSON.stringify(localName)) }];
  return { line: bytes, id: message.id, progressToken: message.params.get('_meta.progressToken'), edits };
}

/** A client's `notifications/cancelled` line, and where its request id stands. */
export function cancellation(
  line: string,
): readonly [Buffer, { readonly start: number; readonly end: number }] {
  const bytes = Buffer.from(line);
  const message = readMessage(bytes, WANTED);
  const requestId = message.kind === 'notification' ? message.params.get('requestId') : undefined;
  if (requestId === undefined) throw new Error(`no cancellation: ${line}`);
  return [bytes, requestId];
}
