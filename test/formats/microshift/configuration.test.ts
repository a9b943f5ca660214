import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { type MicroshiftFile, microshiftSettings, parseMicroshift } from '../../../formats/microshift/configuration.ts';

const file = (text: string, path = 'config.yaml'): MicroshiftFile => parseMicroshift(path, utf8(text));

/** What files say, by variables. */
const said = (...texts: readonly string[]): Readonly<Record<string, string>> => {
  const settings = microshiftSettings(texts.map((text, at) => file(text, `${at}.yaml`)));
  return Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, one.value]));
};

describe("MicroShift's configuration", () => {
  test('tells variables by the fields of today', () => {
    const today = `
dns: {baseDomain: edge.example.com}
network:
  clusterNetwork: [10.42.0.0/16, "fd01::/48"]
  serviceNetwork: [10.43.0.0/16]
  serviceNodePortRange: 30000-31000
  cniPlugin: none
node: {hostnameOverride: edge-1, nodeIP: 192.0.2.7}
apiServer: {subjectAltNames: [api.example.com, 192.0.2.1], auditLog: {profile: Default}}
debugging: {logLevel: traceall}
`;
    expect(said(today)).toEqual({
      BASEDOMAIN: 'edge.example.com',
      CLUSTER_CLUSTERCIDR: '10.42.0.0/16,fd01::/48',
      CLUSTER_SERVICECIDR: '10.43.0.0/16',
      CLUSTER_SERVICENODEPORTRANGE: '30000-31000',
      LOGVLEVEL: 'TraceAll',
      NODEIP: '192.0.2.7',
      NODENAME: 'edge-1',
      SUBJECTALTNAMES: 'api.example.com,192.0.2.1',
    });
  });

  test('tells them by the fields of older releases as well', () => {
    const older = `
logVLevel: 4
nodeName: edge-1
nodeIP: 192.0.2.7
baseDomain: edge.example.com
subjectAltNames: [api.example.com]
cluster: {url: "https://127.0.0.1:6443", clusterCIDR: 10.42.0.0/16, serviceCIDR: 10.43.0.0/16, serviceNodePortRange: 30000-32767}
`;
    expect(said(older)).toEqual({
      BASEDOMAIN: 'edge.example.com',
      CLUSTER_CLUSTERCIDR: '10.42.0.0/16',
      CLUSTER_SERVICECIDR: '10.43.0.0/16',
      CLUSTER_SERVICENODEPORTRANGE: '30000-32767',
      CLUSTER_URL: 'https://127.0.0.1:6443',
      LOGVLEVEL: 'Debug',
      NODEIP: '192.0.2.7',
      NODENAME: 'edge-1',
      SUBJECTALTNAMES: 'api.example.com',
    });
    expect(said('network: {clusterNetwork: [{cidr: 10.42.0.0/16}]}')).toEqual({ CLUSTER_CLUSTERCIDR: '10.42.0.0/16' });
    expect(said('nodeIP: 192.0.2.1\nnode: {nodeIP: 192.0.2.2}')).toEqual({ NODEIP: '192.0.2.2' });
    const levels = [0, 2, 5, 6, 7, 8, 10].map((level) => said(`logVLevel: ${level}`)['LOGVLEVEL']);
    expect(levels).toEqual(['Normal', 'Normal', 'Debug', 'Trace', 'Trace', 'TraceAll', 'TraceAll']);
  });

  test('is a merge of its files: later ones replace lists, and null takes away', () => {
    const first = 'dns: {baseDomain: a.example.com}\napiServer: {subjectAltNames: [a, b]}\nnode: {nodeIP: 192.0.2.1}';
    expect(said(first, 'apiServer: {subjectAltNames: [c]}')).toMatchObject({
      BASEDOMAIN: 'a.example.com',
      SUBJECTALTNAMES: 'c',
    });
    expect(said(first, 'dns: null\nnode: {nodeIP: null}\napiServer: {subjectAltNames: []}')).toEqual({});
    const { NODEIP } = microshiftSettings([file(first), file('node: {nodeIP: 192.0.2.9}', 'config.d/10.yaml')]);
    expect(NODEIP).toEqual({ value: '192.0.2.9', path: 'config.d/10.yaml', field: 'node.nodeIP' });
  });

  test.each([
    '',
    '# nothing\n',
    '{}',
    'storage: {driver: none}',
    'apiServer: {subjectAltNames: [""]}\nnode: {nodeIP: ""}',
  ])('says nothing in %j', (text) => {
    expect(said(text)).toEqual({});
  });

  test.each([
    ['dns:\n  baseDomain: 7', /2:3: dns\.baseDomain: has to be a text/],
    ['network:\n  serviceNodePortRange: all', /2:3: network\.serviceNodePortRange: has to be a range of ports/],
    ['- a', /1:3: has to be a mapping/],
    ['dns: {', /1:7: /],
    ['nodeIP: a\nnodeIP: b', /2:1: the key "nodeIP" is there twice/],
  ])('is refused with line and column where it is wrong: %j', (text, words) => {
    expect(() => file(text)).toThrow(words);
  });
});
