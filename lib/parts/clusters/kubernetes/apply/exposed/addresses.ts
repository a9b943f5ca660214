import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import { listAt, numberAt, textAt } from '../../server/index.ts';

/** What says where an object of a kind answers. `nodes` are addresses of nodes. */
type AddressRule = (object: unknown, nodes: readonly string[]) => string[];

/** How an address is written that is not known yet. */
const UNKNOWN = { node: 'NODE', balancer: 'ADDRESS' } as const;

/** Paths of an Ingress, by the hosts of its rules (networking.k8s.io/v1). */
const ingress: AddressRule = (object) => {
  const secure = listAt(object, 'spec', 'tls').flatMap((tls) => listAt(tls, 'hosts'));
  const assigned = assignedTo(object);
  const urls = listAt(object, 'spec', 'rules').flatMap((rule) => {
    const host = textAt(rule, 'host');
    const paths = listAt(rule, 'http', 'paths').map((path) => textAt(path, 'path') || '/');
    const scheme = secure.includes(host) ? 'https' : 'http';
    const names = host === '' ? assigned.map(inUrl) : [host];
    return (names.length === 0 ? [UNKNOWN.balancer] : names).flatMap((name) =>
      (paths.length === 0 ? ['/'] : paths).map((path) => `${scheme}://${name}${path}`),
    );
  });
  return [...new Set(urls)];
};

/** Listeners of a Gateway (gateway.networking.k8s.io/v1). */
const gateway: AddressRule = (object) => {
  const assigned = listAt(object, 'status', 'addresses').map((address) => textAt(address, 'value'));
  return listAt(object, 'spec', 'listeners').flatMap((listener) => {
    const [protocol, port] = [textAt(listener, 'protocol'), numberAt(listener, 'port')];
    const host = textAt(listener, 'hostname');
    const names = host === '' ? assigned.filter((value) => value !== '').map(inUrl) : [host];
    return (names.length === 0 ? [UNKNOWN.balancer] : names).map((name) => {
      if (protocol === 'HTTP') return `http://${name}${port === 80 ? '' : `:${port}`}/`;
      if (protocol === 'HTTPS') return `https://${name}${port === 443 ? '' : `:${port}`}/`;
      return `${name}:${port}`;
    });
  });
};

/** Ports of a Service that can be reached from outside: at a load balancer, or else at each node. */
const service: AddressRule = (object, nodes) => {
  const type = textAt(object, 'spec', 'type');
  const ports = listAt(object, 'spec', 'ports');
  const assigned = type === 'LoadBalancer' ? assignedTo(object) : [];
  if (assigned.length > 0) {
    return assigned.flatMap((name) => ports.map((port) => `${inUrl(name)}:${numberAt(port, 'port')}`));
  }
  if (type !== 'NodePort' && type !== 'LoadBalancer') return [];
  const known = nodes.length === 0 ? [UNKNOWN.node] : nodes.map(inUrl);
  const open = ports.flatMap((port) => numberAt(port, 'nodePort') ?? []);
  return known.flatMap((name) => open.map((port) => `${name}:${port}`));
};

const rules: Readonly<Record<string, AddressRule>> = {
  'networking.k8s.io/Ingress': ingress,
  'gateway.networking.k8s.io/Gateway': gateway,
  '/Service': service,
};

/** Whether objects of a kind may answer from outside of the cluster: a Service of a cluster IP does not. */
export function mayBeExposed(object: { readonly apiVersion: string; readonly kind: string }): boolean {
  const rule = `${groupOf(object)}/${object.kind}`;
  if (!Object.hasOwn(rules, rule)) return false;
  return rules[rule] !== service || ['NodePort', 'LoadBalancer'].includes(textAt(object, 'spec', 'type'));
}

/** Lists where an object answers: URLs, or `HOST:PORT`. What nobody has assigned yet is `ADDRESS` or `NODE`. */
export function addressesOf(
  object: { readonly apiVersion: string; readonly kind: string },
  nodes: readonly string[],
): string[] {
  return rules[`${groupOf(object)}/${object.kind}`]?.(object, nodes) ?? [];
}

/** How many nodes are reported: each of them answers. */
export const NODES_SHOWN = 10;

/** Lists the addresses of some nodes: of each one that is outside of its network, if it has one. */
export function nodeAddresses(nodes: readonly unknown[]): string[] {
  return nodes.slice(0, NODES_SHOWN).flatMap((node) => {
    const all = listAt(node, 'status', 'addresses');
    const first = ['ExternalIP', 'InternalIP', 'Hostname']
      .map((type) => all.find((one) => textAt(one, 'type') === type))
      .find((one) => one !== undefined);
    return first === undefined ? [] : [textAt(first, 'address')];
  });
}

/** What a controller has assigned to an object, addresses and names. */
function assignedTo(object: unknown): string[] {
  return listAt(object, 'status', 'loadBalancer', 'ingress').flatMap((one) => {
    const name = textAt(one, 'ip') || textAt(one, 'hostname');
    return name === '' ? [] : [name];
  });
}

/** Writes an address of IPv6 as URLs have it (RFC 3986, section 3.2.2). */
function inUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}
