import { messageOf, MuxError } from '@mcpmux/core';

import { streamEvents } from './event-stream.js';
import type { Administer, AdminOutcome } from './admin-connection.js';
import type { AdminParams, AdminResults, PageLink } from './admin-methods.js';
import type { PageHost, Reachable } from './instance-components.js';

/** Returns the function that carries out commands' requests to an instance. */
export function administrationOf(instance: Reachable): Administer {
  return async (request, connection) => {
    switch (request.method) {
      case 'events':
        return { result: {}, after: () => streamEvents(connection, instance.mux, request.params) };
      case 'calls':
        return { result: instance.stats.summary() };
      case 'clients':
        return { result: { clients: instance.mux.listClients() } };
      case 'approvals':
        return { result: approvals(instance, request.params.answer) };
      case 'windows':
      case 'stop':
      case 'restartShared':
      case 'handOver':
        return withOptionalPart(instance.shared, 'no windows share this mcpmux', (shared) =>
          shared.carryOut(request.method),
        );
      case 'page':
        return withOptionalPart(instance.page, 'this mcpmux has no page', (page) =>
          createPageLink(page, request.params),
        );
      case 'reloadConfig':
        return resultOrRefusal(instance.reloadConfig);
      case 'restart':
        return resultOrRefusal(async () => {
          const { status, tools } = await instance.mux.reloadServer(request.params.name);
          return { status, tools: tools.length };
        });
      case 'remove':
        return resultOrRefusal(async () => {
          await instance.mux.removeServer(request.params.name);
          return { status: 'removed', tools: 0 };
        });
    }
  };
}

function approvals(
  { mux: { approvals: desk } }: Reachable,
  answer: AdminParams<'approvals'>['answer'],
): AdminResults['approvals'] {
  const isAnswered = answer !== undefined && desk.answer(answer.id, answer);
  return { isAnswered, approvals: desk.list() };
}

async function createPageLink(
  page: PageHost,
  { isReadOnly, isOpened }: AdminParams<'page'>,
): Promise<PageLink> {
  return isOpened ? page.createOpeningFile(isReadOnly) : { url: await page.createLink(isReadOnly) };
}

/** Refuses the request with `problem` if the instance lacks the part. */
async function withOptionalPart<Part>(
  part: Part | undefined,
  problem: string,
  use: (part: Part) => object | Promise<object>,
): Promise<AdminOutcome> {
  if (part === undefined) return { refusal: { code: 'FAILED', message: problem } };
  return resultOrRefusal(async () => use(part));
}

async function resultOrRefusal(work: () => Promise<object>): Promise<AdminOutcome> {
  try {
    return { result: await work() };
  } catch (error) {
    const code = error instanceof MuxError ? error.code : 'FAILED';
    return { refusal: { code, message: messageOf(error) } };
  }
}
