import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { ClusterError } from '@mcpmux/cluster';
import { expect, it } from 'vitest';

import { natsFailure } from './nats-failure.js';

const WHERE = 'nats://a:4222';

const ofJetStream = (code: number): Error =>
  new JetStreamApiError({ code: 400, err_code: code, description: 'the words of NATS' });

it.each([
  [10_071, 'CONFLICT'],
  [10_164, 'CONFLICT'],
  [10_008, 'UNAVAILABLE'],
])('the error %i of JetStream is a %s', (code, meaning) => {
  expect(natsFailure(ofJetStream(code), WHERE).code).toBe(meaning);
});

it.each([
  ...[10_005, 10_023, 10_074].map(
    (code) => [code, /too few servers.*the words of NATS.*"replicas"/] as const,
  ),
  ...[10_002, 10_028, 10_047, 10_077].map(
    (code) => [code, /no room left: the words of NATS.*max_file/] as const,
  ),
  [10_026, /no more consumers: the words of NATS.*max_consumers/],
  [10_027, /no more streams: the words of NATS.*max_streams/],
  ...[10_008, 10_009].map((code) => [code, /no leader.*the words of NATS.*most of them run/] as const),
  [10_025, /did not do what was asked: the words of NATS\.$/],
] as const)('the error %i of JetStream names the servers, the cause and the next step', (code, words) => {
  const { message } = natsFailure(ofJetStream(code), WHERE);
  expect(message).toMatch(/^NATS at nats:\/\/a:4222 /);
  expect(message).toMatch(words);
});

it('a server that does not answer in time is told from one without JetStream', () => {
  const { code, message } = natsFailure(new TimeoutError(), WHERE);
  expect([code, message]).toEqual([
    'UNAVAILABLE',
    expect.stringMatching(/^NATS at nats:\/\/a:4222 did not answer in time\. .*start those that are down\.$/),
  ]);
});

it('an error of the cluster stays as it is', () => {
  const error = new ClusterError('NOBODY', 'There is no node.');
  expect(natsFailure(error, WHERE)).toBe(error);
});
