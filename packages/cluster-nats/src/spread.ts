import type { JetStreamManager } from '@nats-io/jetstream';

/**
 * Has that many servers keep a bucket, if fewer do: a server that was not there when the bucket was made keeps nothing of
 * it otherwise, and the bucket is lost with the others.
 */
export async function spread(
  manager: Pick<JetStreamManager, 'streams'>,
  bucket: string,
  replicas: number,
): Promise<void> {
  const stream = `KV_${bucket}`;
  const { config } = await manager.streams.info(stream);
  if (config.num_replicas < replicas) await manager.streams.update(stream, { num_replicas: replicas });
}
