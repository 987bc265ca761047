import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

import type { InteractiveCall } from './asking-tools.js';
import type { Answers } from './questions.js';

const ANSWER_SCHEMA = z.looseObject({});

/** Sends all questions to the client as requests, as in revisions with sessions. Resolves to the result's text. */
export async function askAllQuestions(
  { rounds, text }: InteractiveCall,
  args: Readonly<Record<string, unknown>>,
  server: Server,
  sendRequest: RequestHandlerExtra<ServerRequest, ServerNotification>['sendRequest'],
): Promise<string> {
  const answers: Record<string, Answers[string]> = {};
  for (const questions of rounds(args, { ...server.getClientCapabilities() })) {
    const pendingAnswers = Object.entries(questions).map(async ([key, { method, params }]) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all questions of the fixtures are server requests
      answers[key] = await sendRequest({ method, params } as ServerRequest, ANSWER_SCHEMA);
    });
    await Promise.all(pendingAnswers);
  }
  return text(answers);
}
