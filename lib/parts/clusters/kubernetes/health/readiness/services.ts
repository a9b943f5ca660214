import { listAt, textAt } from '../../server/index.ts';
import { type Rule, ready, waiting } from './rule.ts';

/** Set by the controller that is responsible for a load balancer (KEP-980). */
const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';

/**
 * Ready when it has the addresses that it will get. As in kstatus, the address of a load balancer is not waited for in
 * general: on a bare node nobody assigns one, and the Service answers at its cluster IP and node ports. It is waited
 * for where a controller is responsible: the Service names a class, or a controller has set its finalizer.
 */
export const service: Rule = (object) => {
  const type = textAt(object, 'spec', 'type');
  if (type === 'ExternalName') return ready('is only a name');
  if (textAt(object, 'spec', 'clusterIP') === '') return waiting('has no cluster IP yet');
  if (type !== 'LoadBalancer' || listAt(object, 'status', 'loadBalancer', 'ingress').length > 0) {
    return ready('has its addresses');
  }
  const loadBalancer = textAt(object, 'spec', 'loadBalancerClass');
  const taken = listAt(object, 'metadata', 'finalizers').includes(CLEANUP);
  if (loadBalancer !== '') return waiting(`no load balancer of class ${loadBalancer} has given it an address yet`);
  if (taken) return waiting('its load balancer has not given it an address yet');
  return ready('has its cluster IP; no load balancer handles it');
};
