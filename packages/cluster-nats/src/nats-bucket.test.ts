import { JetStreamApiError } from '@nats-io/jetstream';
import { expect, it } from 'vitest';

import { natsFailure } from './nats-bucket.js';

it.each([
  [10_071, 'CONFLICT'],
  [10_164, 'CONFLICT'],
  [10_008, 'UNAVAILABLE'],
])('the error %i of JetStream is a %s', (code, meaning) => {
  const error = new JetStreamApiError({ code: 400, err_code: code, description: 'no' });
  expect(natsFailure(error).code).toBe(meaning);
});
