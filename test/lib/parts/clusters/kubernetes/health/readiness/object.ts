import {
  type Readiness,
  readinessOf,
} from '../../../../../../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import type { LiveObject } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';

/** The parts of an object that a test is about. */
export interface Parts {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** An object of `type`, such as `apps/v1/Deployment` or `v1/Pod`, as an API server would return it. */
export function live(type: string, { metadata, ...parts }: Parts = {}): LiveObject {
  const slash = type.lastIndexOf('/');
  return {
    apiVersion: type.slice(0, slash),
    kind: type.slice(slash + 1),
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', resourceVersion: '7', ...metadata },
    ...parts,
  };
}

/** A condition of a status. */
export function condition(type: string, status: string, reason = '', message = ''): Record<string, string> {
  return { type, status, reason, message };
}

/** How far an object has come: `state: message`. */
export function told(type: string, parts: Parts = {}): string {
  return words(readinessOf(live(type, parts)));
}

/** A readiness as `state: message`. */
export function words({ state, message }: Readiness): string {
  return `${state}: ${message}`;
}
