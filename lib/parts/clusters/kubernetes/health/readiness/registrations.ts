import { conditionOf, saysOf, textAt } from '../../server/index.ts';
import { failed, type Rule, ready, waiting } from './rule.ts';

/**
 * Ready when its kind is served. Failed when another CustomResourceDefinition has its names: they do not become free by
 * themselves.
 */
export const customResourceDefinition: Rule = (object) => {
  const names = conditionOf(object, 'NamesAccepted');
  if (names?.status === 'False') return failed(`its names are not accepted: ${saysOf(names)}`);
  const established = conditionOf(object, 'Established');
  if (established?.status === 'True') return ready('is established');
  if (established?.status === 'False' && established.reason !== 'Installing') {
    return failed(`is not established: ${saysOf(established)}`);
  }
  return waiting('is not established yet');
};

/** Ready when the server behind it answers. */
export const apiService: Rule = (object) => {
  const available = conditionOf(object, 'Available');
  if (available?.status === 'True') return ready('is available');
  return waiting(available === undefined ? 'is not available yet' : `is not available: ${saysOf(available)}`);
};

/** Ready when it accepts objects. */
export const namespace: Rule = (object) => {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Terminating') return { state: 'terminating', message: 'is being deleted' };
  return phase === 'Active' ? ready('is active') : waiting('is not active yet');
};
