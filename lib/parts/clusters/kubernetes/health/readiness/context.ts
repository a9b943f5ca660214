import { ApiError, type KubernetesApi, type LiveObject, textAt } from '../../server/index.ts';
import type { ReadinessContext } from './rule.ts';

/**
 * Reads what `readinessOf` needs besides the object: the StorageClass of a claim that is not bound. Nothing is read for
 * other objects. Where reading is refused, nothing is known, and such a claim is waited for.
 */
export async function readinessContext(
  api: KubernetesApi,
  object: LiveObject,
  signal: AbortSignal,
): Promise<ReadinessContext> {
  const name = textAt(object, 'spec', 'storageClassName');
  const isClaim = object.kind === 'PersistentVolumeClaim' && object.apiVersion === 'v1';
  if (!isClaim || name === '' || textAt(object, 'status', 'phase') === 'Bound') return {};
  try {
    return { storageClass: await api.read({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name }, signal) };
  } catch (error) {
    if (error instanceof ApiError && !signal.aborted) return {};
    throw error;
  }
}
