import { paramText } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import { inputKindOf } from '../../server/dialect/client-requests.js';

/** Returns the capabilities that a client must declare to get this request. */
export function requiredCapabilities(
  line: Buffer,
  request: ServerRequest,
): Readonly<Record<string, unknown>> {
  const { method, params } = request;
  const kind = inputKindOf(method);
  switch (kind) {
    case 'elicitation':
      return { elicitation: paramText(line, request, 'mode') === 'url' ? { url: {} } : { form: {} } };
    case 'sampling':
      return { sampling: params.has('tools') || params.has('toolChoice') ? { tools: {} } : {} };
    case 'roots':
      return { roots: {} };
    case undefined:
      return {};
  }
}
