import { z } from '../../../../../../formats/schema.ts';
import { ApiError, type KubernetesApi } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const review = z.looseObject({ status: z.looseObject({ allowed: z.boolean() }) });

/** Asks a server what its user may do (authorization.k8s.io/v1, SelfSubjectAccessReview). Nothing of that is stored. */
export function accessReviews(session: ApiSession): KubernetesApi['allows'] {
  return async ({ verb, group, resource: path, namespace, name }, signal) => {
    const [resource, subresource] = path.split('/');
    const resourceAttributes = { verb, group, resource, subresource, namespace, name };
    const spec = { resourceAttributes };
    const value = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
    const call: ApiCall = {
      method: 'POST',
      path: PATH,
      body: { type: 'application/json', value },
      verb: 'review',
      subject: `${verb} ${path}`,
      signal,
    };
    const reply = await session.send(call);
    const found = review.safeParse(reply.json()).data;
    if (!found) throw new ApiError(call, { status: reply.status }, 'the answer holds no review');
    return found.status.allowed;
  };
}
