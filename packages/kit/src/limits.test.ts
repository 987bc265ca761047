import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS } from './limits.js';

/** The official SDKs close the connection at a longer line. */
const LONGEST_LINE_OF_PEERS = 10_485_760;
/** Hosts give a tool call 60 s. */
const HOST_CALL_TIMEOUT_MS = 60_000;

describe('the default limits', () => {
  it('are these, in bytes, milliseconds and pieces', () => {
    expect(DEFAULT_LIMITS).toEqual({
      maxLineBytes: 10_000_000,
      maxEndlessLineBytes: 67_108_864,
      clientHighWatermarkBytes: 1_048_576,
      maxClientQueueBytes: 67_108_864,
      maxServerQueueBytes: 16_777_216,
      stallMs: 30_000,
      maxStderrLinesPerSecond: 100,
      maxNotificationsPerSecond: 1000,
      maxPendingPerServer: 16_384,
      maxPendingPerClient: 16_384,
      maxAskedPerClient: 1024,
      maxServers: 256,
      maxInstancesPerClient: 8,
      instanceStartTimeoutMs: 15_000,
      instanceCallTimeoutMs: 600_000,
      instancePingMs: 10_000,
      startTimeoutMs: 60_000,
      listTimeoutMs: 10_000,
      maxListPages: 64,
      maxToolsPerServer: 1000,
      maxListBytesPerServer: 5_000_000,
      listPageBytes: 4_000_000,
      addAnswerTimeoutMs: 50_000,
      drainMs: 1000,
      drainOnEndMs: 500,
      retryGivenUpMs: 300_000,
      workspaceIdleMs: 600_000,
      parkMs: 600_000,
      maxParkedCalls: 1024,
      maxParkedPerClient: 128,
      maxParkedPerServer: 512,
      listChangedDelayMs: 20,
      listChangedStartingMs: 1000,
      listRequestMs: 300,
      listRhythmMs: 2000,
      firstListMs: 5000,
    });
  });

  it('accept no line that a peer built with an official SDK would refuse', () => {
    expect(DEFAULT_LIMITS.maxLineBytes).toBeLessThan(LONGEST_LINE_OF_PEERS);
  });

  it('answer add_server before the host gives up', () => {
    expect(DEFAULT_LIMITS.addAnswerTimeoutMs).toBeLessThan(HOST_CALL_TIMEOUT_MS);
  });

  it('cannot be changed by one mux for another', () => {
    expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
  });
});
