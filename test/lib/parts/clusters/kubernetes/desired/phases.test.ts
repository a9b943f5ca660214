import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  inPhases,
  isFoundation,
  isGate,
  needsGround,
  phaseOf,
} from '../../../../../../lib/parts/clusters/kubernetes/desired/phases.ts';
import { stated } from '../support.ts';

const admission = 'admissionregistration.k8s.io/v1';
/** One object of each phase, in the order of application. */
const ordered = [
  stated('v1', 'Namespace', 'a'),
  stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a'),
  stated('v1', 'ServiceAccount', 'n/a'),
  stated('rbac.authorization.k8s.io/v1', 'RoleBinding', 'n/a'),
  stated('v1', 'ConfigMap', 'n/a'),
  stated('storage.k8s.io/v1', 'StorageClass', 'a'),
  stated('v1', 'PersistentVolume', 'a'),
  stated('v1', 'PersistentVolumeClaim', 'n/a'),
  stated('v1', 'Service', 'n/a'),
  stated('apps/v1', 'Deployment', 'n/a'),
  stated('networking.k8s.io/v1', 'Ingress', 'n/a'),
  stated(admission, 'ValidatingAdmissionPolicy', 'a'),
  stated(admission, 'ValidatingWebhookConfiguration', 'a'),
];

test('objects are applied phase by phase, whatever order they are stated in', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered), (shuffled) => {
      const kinds = inPhases(shuffled, (object) => object).map(({ kind }) => kind);
      expect(kinds).toEqual(ordered.map(({ kind }) => kind).filter((kind) => kinds.includes(kind)));
    }),
  );
});

test('within a phase the stated order stays, and nothing is lost', () => {
  const any = fc.array(fc.tuple(fc.constantFrom(...ordered), fc.nat()));
  fc.assert(
    fc.property(any, (items) => {
      const sorted = inPhases(items, ([object]) => object);
      const numbered = sorted.map((item) => [phaseOf(item[0]), items.indexOf(item)] as const);
      expect(numbered).toEqual(numbered.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
      expect(new Set(sorted)).toEqual(new Set(items));
      expect(sorted).toHaveLength(items.length);
    }),
  );
});

test('a kind counts with its group, not by its name alone', () => {
  expect(isFoundation(stated('v1', 'Namespace', 'a'))).toBe(true);
  expect(isFoundation(stated('example.com/v1', 'Namespace', 'n/a'))).toBe(false);
  expect(phaseOf(stated('serving.knative.dev/v1', 'Service', 'n/a'))).toBe(
    phaseOf(stated('a.example/v1', 'Any', 'n/a')),
  );
});

test('what may refuse others comes after all that it could refuse', () => {
  const gates = ordered.filter(isGate);
  expect(gates.map(({ kind }) => kind)).toEqual(['ValidatingAdmissionPolicy', 'ValidatingWebhookConfiguration']);
});

test('what runs programs waits for new kinds, as does what comes after it', () => {
  const needing = ordered.filter(needsGround).map(({ kind }) => kind);
  expect(needing).toEqual(['Deployment', 'Ingress', 'ValidatingAdmissionPolicy', 'ValidatingWebhookConfiguration']);
});
