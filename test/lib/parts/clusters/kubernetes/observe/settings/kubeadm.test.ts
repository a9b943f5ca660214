import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentValue } from '../../../../../../../lib/parts/clusters/kubernetes/observe/settings/arguments.ts';
import { kubeadmSettings } from '../../../../../../../lib/parts/clusters/kubernetes/observe/settings/kubeadm.ts';

const head = 'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n';
const none = { podRanges: '', serviceRanges: '', nodePorts: '', certificateNames: '' };

describe('what kubeadm was reported', () => {
  test.each([
    ['nothing', head, none],
    [
      'ranges',
      `${head}networking: {podSubnet: "10.0.0.0/8,fd00::/48", serviceSubnet: 10.96.0.0/12}`,
      { ...none, podRanges: '10.0.0.0/8,fd00::/48', serviceRanges: '10.96.0.0/12' },
    ],
    [
      'arguments as a map',
      `${head}apiServer: {extraArgs: {service-node-port-range: 1-9}}`,
      { ...none, nodePorts: '1-9' },
    ],
    [
      'arguments as a list',
      `${head}apiServer: {extraArgs: [{name: a, value: b}, {name: service-node-port-range, value: 1-9}]}`,
      { ...none, nodePorts: '1-9' },
    ],
    ['names', `${head}apiServer: {certSANs: [a, 1, b]}`, { ...none, certificateNames: 'a,b' }],
    ['other types', `${head}apiServer: 7\nnetworking: [1]`, none],
    ['several documents', `kind: InitConfiguration\n---\n${head}`, none],
  ])('is read where it is %s', (_, text, expected) => {
    expect(kubeadmSettings(text)).toEqual(expected);
  });

  test.each([
    ['nothing', ''],
    ['no YAML', '{'],
    ['another kind', 'kind: InitConfiguration'],
  ])('is unknown where there is %s', (_, text) => {
    expect(kubeadmSettings(text)).toBeUndefined();
  });

  test('is read or unknown, however it was damaged', () => {
    const sound = `${head}apiServer:\n  certSANs: [a]\n  extraArgs: [{name: service-node-port-range, value: 1-9}]\n`;
    fc.assert(
      fc.property(fc.nat(sound.length), fc.nat(9), fc.string({ maxLength: 4 }), (at, cut, more) => {
        const found = kubeadmSettings(sound.slice(0, at) + more + sound.slice(at + cut));
        expect(Object.values(found ?? {}).every((value) => typeof value === 'string')).toBe(true);
      }),
    );
  });
});

describe('a flag', () => {
  const pod = (command: readonly unknown[], args?: readonly unknown[]) => ({
    spec: { containers: [{ command, args }] },
  });

  test.each([
    [['p', '--range=1-2'], undefined, '1-2'],
    [['p', '--range', '1-2'], undefined, '1-2'],
    [['p'], ['--range=1-2'], '1-2'],
    [['p', '--range=1-2'], ['--range=3-4'], '3-4'],
    [['p', '--ranges=1-2', '--range'], undefined, undefined],
    [[7, null], undefined, undefined],
  ])('of %j and %j is %j', (command, args, value) => {
    expect(argumentValue(pod(command, args), 'range')).toBe(value);
  });

  test.each([undefined, {}, { spec: { containers: 'a' } }, { spec: { containers: [null] } }])(
    'of %j is not there',
    (object) => {
      expect(argumentValue(object, 'range')).toBeUndefined();
    },
  );
});
