import { fieldAt, textAt } from '../../server/index.ts';
import { failed, type Rule, ready, waiting } from './rule.ts';

/** Written by the scheduler to a claim whose first Pod has a node. */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/**
 * Ready when it is bound. A claim whose StorageClass binds only for the first Pod is ready before: an earlier component
 * than the Pod's may bring it, and would wait for ever. Once that Pod has a node, the claim is waited for like any
 * other.
 */
export const claim: Rule = (object, { storageClass }) => {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Bound') return ready('is bound');
  if (phase === 'Lost') return failed('has lost its volume');
  const late = textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
  const consumed = fieldAt(object, 'metadata', 'annotations', SELECTED_NODE) !== undefined;
  if (late && !consumed && textAt(object, 'spec', 'volumeName') === '') return ready('waits for its first Pod');
  return waiting('is not bound to a volume yet');
};

/** Ready when it can be claimed, is claimed, or was. */
export const volume: Rule = (object) => {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Failed') return failed(`has failed: ${textAt(object, 'status', 'message') || 'nobody says why'}`);
  return phase === '' || phase === 'Pending' ? waiting('is not available yet') : ready(`is ${phase.toLowerCase()}`);
};
