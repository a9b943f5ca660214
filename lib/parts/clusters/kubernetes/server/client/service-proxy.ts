import type { HttpTiming } from '../../../../../kernel/http/index.ts';
import type { KubernetesApi } from '../api.ts';
import type { ApiSession } from './api-session.ts';
import { resourcePath } from './resource-path.ts';

/** Milliseconds within which a Service has to begin its answer. */
const PATIENCE = 10_000;

const services = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
  verbs: [],
} as const;

/** Names a port of a Service as the path of the proxy does, and as a rule of RBAC has to: `web:80`, `https:web:443`. */
export function proxiedName({ scheme, name, port }: NamedPort): string {
  return `${scheme === 'https' ? 'https:' : ''}${name}:${port}`;
}

interface NamedPort {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Asks Services through the proxy of the server. What does not answer is asked again by whoever waits for it. */
export function askServices(session: ApiSession, timing: HttpTiming): KubernetesApi['askService'] {
  return async (asked, signal) => {
    const { namespace, name, path } = asked;
    const [place = '', ...rest] = path.split('?');
    const answer = session.stream({
      method: 'GET',
      path: `${resourcePath(services, { namespace, name: proxiedName(asked) })}/proxy${place}`,
      query: Object.fromEntries(new URLSearchParams(rest.join('?'))),
      headers: { accept: '*/*' },
      verb: 'ask',
      subject: `Service ${namespace}/${name}`,
      timing: { ...timing, idle: PATIENCE },
      signal,
    });
    // The beginning is enough: an answer may never end.
    for await (const _ of answer) break;
  };
}
