import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useAction } from './action.js';
import type { Json } from './connection.js';
import { request, type Target } from './mcp.js';
import { Paced } from './paced.js';
import type { Questions } from './rounds.js';
import { duration } from './texts.js';

/** The minimum interval between two progress messages. */
const PROGRESS_MS = 1000;

/** Questions that the user has not answered yet. */
export interface AskedQuestions {
  readonly questions: Questions;
  readonly answer: (answers: Json) => void;
}

/** A conversation's request that has no response yet. */
interface Pending {
  readonly cancelling: AbortController;
  readonly since: number;
  isAsking: boolean;
}

/** Runs one request at a time, from its params to its result, with the questions of its server. */
export function useConversation(target: Target) {
  const { outcome, report, run } = useAction();
  const [result, setResult] = useState<Json>();
  const [asked, setAsked] = useState<AskedQuestions>();
  const [isOpen, setOpen] = useState(false);
  const current = useRef<Pending | undefined>(undefined);
  const hasLeft = useLeaving(current);
  const sendRequest = async (params: Json, open: Pending): Promise<string> => {
    const progress = new Paced(report, PROGRESS_MS);
    const ask = (questions: Questions): Promise<Json> =>
      new Promise((resolve) => {
        open.isAsking = true;
        if (hasLeft.current) return open.cancelling.abort();
        progress.now('A question waits for your answer.');
        const answer = (answers: Json): void => {
          open.isAsking = false;
          setAsked(undefined);
          report('Calling …');
          resolve(answers);
        };
        setAsked({ questions, answer });
      });
    const onProgress = (reported: Json): void => progress.report(progressText(reported));
    const onPause = (ms: number): void => progress.now(pauseText(ms));
    const { signal } = open.cancelling;
    try {
      const found = await request(target, params, { ask, onProgress, onPause, signal });
      setResult(found);
      return `${found['isError'] === true ? 'The tool has failed' : 'Answered'} after ${elapsedText(open)}.`;
    } catch (error) {
      if (!signal.aborted) throw error;
      return `Cancelled after ${elapsedText(open)}. An answer that the server still gives is dropped.`;
    } finally {
      progress.stop();
      current.current = undefined;
      setAsked(undefined);
      setOpen(false);
    }
  };
  const begin = (params: Json): void => {
    if (current.current !== undefined) return report('The request before is still open. Cancel it first.');
    const open: Pending = { cancelling: new AbortController(), since: performance.now(), isAsking: false };
    current.current = open;
    setResult(undefined);
    setOpen(true);
    run(() => sendRequest(params, open));
  };
  const cancel = (): void => current.current?.cancelling.abort();
  return { outcome, result, asked, isOpen, seconds: useSeconds(isOpen), request: begin, cancel };
}

/** Returns the whole seconds for which a state has been true. */
function useSeconds(isTrue: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (!isTrue) return undefined;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [isTrue]);
  return seconds;
}

/**
 * Cancels a request that waits for an answer when the user leaves the form, because the user could no longer answer.
 */
function useLeaving(current: RefObject<Pending | undefined>) {
  const hasLeft = useRef(false);
  // A call without questions continues, and the view Calls shows it.
  const leave = (): void => {
    hasLeft.current = true;
    if (current.current?.isAsking === true) current.current.cancelling.abort();
  };
  useEffect(() => leave, []);
  return hasLeft;
}

function progressText({ progress, total, message }: Json): string {
  const part = typeof total === 'number' ? `${String(progress)} of ${total}` : String(progress);
  return `Progress ${part}${typeof message === 'string' ? `: ${message}` : ''}`;
}

function pauseText(ms: number): string {
  return `The server asks for another try, which the page makes in ${duration(ms)}.`;
}

function elapsedText({ since }: Pending): string {
  return duration(performance.now() - since);
}
