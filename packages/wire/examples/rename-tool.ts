import { keyPaths, MessageReader, splicedLine, stringAt, StreamChannel, type StreamPair } from '@mcpmux/wire';

const LIMITS = { maxLineBytes: 10_000_000, highWatermarkBytes: 1_000_000 };

/** Forwards between a client and a server. The client knows the tool `from` as `to`; no body is parsed. */
export function renameTool(client: StreamPair, server: StreamPair, from: string, to: string): void {
  const requests = new MessageReader(keyPaths(['name']));
  const left = new StreamChannel(client, LIMITS);
  const right = new StreamChannel(server, { ...LIMITS, borrowsLines: true });
  left.open({
    line: (line) => {
      const message = requests.read(line);
      const name = message.kind === 'request' ? message.params.get('name') : undefined;
      const isMeant = name !== undefined && stringAt(line, name) === to;
      right.send(splicedLine(line, isMeant ? [{ span: name, bytes: JSON.stringify(from) }] : []));
    },
    oversized: () => left.destroy(),
    drained: () => right.resume(),
    ended: () => void right.end(),
  });
  right.open({
    line: (line) => {
      left.send(splicedLine(line, []));
      if (left.saturated) right.pause();
    },
    oversized: () => right.destroy(),
    drained: () => undefined,
    ended: () => void left.end(),
  });
}
