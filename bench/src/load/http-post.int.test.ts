import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { post } from './http-post.js';

describe('post', () => {
  let server: Server;
  let agent: Agent;
  let url: URL;
  let received: string[];
  /** What to do with the socket of a request; answers it when it returns. */
  let onRequest: (socket: Socket, count: number) => boolean;

  beforeEach(async () => {
    received = [];
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    server = createServer((incoming, response) => {
      incoming.setEncoding('utf8').on('data', (text: string) => {
        received.push(text);
        if (onRequest(incoming.socket, received.length)) response.end('done');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });

  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  function send(message: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const onResponse = (response: IncomingMessage): void => {
        response.resume();
        response.on('end', () => resolve(response));
      };
      post({ url, agent, headers: {}, message, onResponse, onFailure: reject });
    });
  }

  it('sends again what a kept connection that just closed has lost', async () => {
    onRequest = (socket, count) => {
      if (count === 2) socket.resetAndDestroy();
      return count !== 2;
    };
    await send('first');
    await send('second');
    expect(received).toEqual(['first', 'second', 'second']);
  });

  it('fails when a new connection is reset', async () => {
    onRequest = (socket) => {
      socket.resetAndDestroy();
      return false;
    };
    await expect(send('first')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).toEqual(['first']);
  });
});
