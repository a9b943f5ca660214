import { describe, expect, test } from 'vitest';
import {
  addressesOf,
  mayBeExposed,
  nodeAddresses,
} from '../../../../../../../lib/parts/clusters/kubernetes/apply/exposed/addresses.ts';

const ingress = (spec: object, assigned: object[] = []) => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', spec },
  status: { loadBalancer: { ingress: assigned } },
});
const gateway = (listeners: object[], addresses: object[] = []) => ({
  ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', spec: { listeners } },
  status: { addresses },
});
const service = (spec: object, assigned: object[] = []) => ({
  ...{ apiVersion: 'v1', kind: 'Service', spec },
  status: { loadBalancer: { ingress: assigned } },
});
const path = (...paths: string[]) => ({ http: { paths: paths.map((one) => ({ path: one })) } });

describe('an object answers', () => {
  test.each([
    [
      'at the hosts and paths of an Ingress',
      ingress({ rules: [{ host: 'a.example.com', ...path('/', '/api') }] }),
      ['http://a.example.com/', 'http://a.example.com/api'],
    ],
    [
      'over TLS, where that is for its host',
      ingress({
        tls: [{ hosts: ['a.example.com'] }],
        rules: [
          { host: 'a.example.com', ...path('/') },
          { host: 'b.example.com', ...path('/') },
        ],
      }),
      ['https://a.example.com/', 'http://b.example.com/'],
    ],
    [
      'at the address of its controller, without a host',
      ingress({ rules: [path('/')] }, [{ ip: '10.0.0.5' }, { ip: 'fd00::5' }]),
      ['http://10.0.0.5/', 'http://[fd00::5]/'],
    ],
    ['at an address that nobody has told', ingress({ rules: [{}] }), ['http://ADDRESS/']],
    ['at no rule of an Ingress that has none', ingress({ defaultBackend: {} }), []],
    [
      'at the listeners of a Gateway',
      gateway(
        [
          { protocol: 'HTTPS', port: 443, hostname: '*.example.com' },
          { protocol: 'HTTP', port: 8080 },
          { protocol: 'TCP', port: 5432 },
        ],
        [{ value: '10.0.0.6' }],
      ),
      ['https://*.example.com/', 'http://10.0.0.6:8080/', '10.0.0.6:5432'],
    ],
    [
      'at each node',
      service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }),
      ['10.0.0.1:30080', '[fd00::1]:30080'],
    ],
    [
      'at its load balancer',
      service(
        {
          type: 'LoadBalancer',
          ports: [
            { port: 80, nodePort: 30080 },
            { port: 443, nodePort: 30443 },
          ],
        },
        [{ hostname: 'lb.example.com' }],
      ),
      ['lb.example.com:80', 'lb.example.com:443'],
    ],
    [
      'at each node, where no load balancer handles it',
      service({ type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30080 }] }),
      ['10.0.0.1:30080', '[fd00::1]:30080'],
    ],
    ['nowhere, of a cluster IP', service({ type: 'ClusterIP', ports: [{ port: 80 }] }), []],
  ])('%s', (_, object, addresses) => {
    expect(addressesOf(object, ['10.0.0.1', 'fd00::1'])).toEqual(addresses);
    if (addresses.length > 0) expect(mayBeExposed(object)).toBe(true);
  });

  test('at nodes that may not be listed', () => {
    const object = service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }, { port: 81 }] });
    expect(addressesOf(object, [])).toEqual(['NODE:30080']);
  });
});

test('objects of other kinds are not looked at, nor Services within the cluster', () => {
  for (const object of [
    { apiVersion: 'extensions/v1', kind: 'Ingress' },
    { apiVersion: 'v1', kind: 'constructor' },
    service({ ports: [{ port: 80 }] }),
  ]) {
    expect(mayBeExposed(object)).toBe(false);
  }
});

test('a node has its outer address, or else its inner one, and ten of them are reported', () => {
  const node = (...addresses: object[]) => ({ status: { addresses } });
  const inner = { type: 'InternalIP', address: '10.0.0.1' };
  expect(nodeAddresses([node(inner, { type: 'ExternalIP', address: '1.2.3.4' }), node(inner), node(), {}])).toEqual([
    '1.2.3.4',
    '10.0.0.1',
  ]);
  expect(nodeAddresses(Array.from({ length: 200 }, () => node(inner)))).toHaveLength(10);
});
