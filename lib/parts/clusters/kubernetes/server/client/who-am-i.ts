import { z } from '../../../../../../formats/schema.ts';
import { ApiError } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';

const API = 'authentication.k8s.io/v1';

const review = z.looseObject({ status: z.looseObject({ userInfo: z.looseObject({ username: z.string().min(1) }) }) });

/**
 * Asks the server as whom it knows the sender (Kubernetes API, SelfSubjectReview); undefined where it does not tell, as
 * before Kubernetes 1.28. Nothing is stored by that.
 */
export async function whoAmI(session: ApiSession, signal: AbortSignal): Promise<string | undefined> {
  const call: ApiCall = {
    method: 'POST',
    path: `/apis/${API}/selfsubjectreviews`,
    body: { type: 'application/json', value: { apiVersion: API, kind: 'SelfSubjectReview' } },
    also: [403, 404],
    verb: 'create',
    subject: 'SelfSubjectReview',
    signal,
  };
  try {
    return review.safeParse((await session.send(call)).json()).data?.status.userInfo.username;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
