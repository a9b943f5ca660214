import { describe, expect, test } from 'vitest';
import { absentField } from '../../../formats/kubernetes/custom-fields.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const string = { type: 'string' };

/** A definition whose status has these fields, in each of its versions. */
const definition = (...statuses: object[]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: {
    versions: statuses.map((status, at) => ({
      name: `v${at + 1}`,
      schema: { openAPIV3Schema: object({ status }) },
    })),
  },
});

const inStatus = (status: object, path: string): string | undefined =>
  absentField(
    definition(status),
    `status.${path}`.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
  )?.path.join('.');

describe('a field of a custom resource', () => {
  const conditions = { type: 'array', items: object({ type: string }) };
  const open = { 'x-kubernetes-preserve-unknown-fields': true };

  test.each([
    ['phase', undefined],
    ['phse', 'status.phse'],
    ['phase.deep', 'status.phase.deep'],
    ['conditions.0.type', undefined],
    ['conditions.0.typ.deep', 'status.conditions.0.typ'],
    ['conditions.type', 'status.conditions.type'],
    ['zones.any.thing', 'status.zones.any.thing'],
    ['zones.any', undefined],
    ['free.any.thing', undefined],
    ['kept.any', undefined],
    ['kept.known.any', 'status.kept.known.any'],
    ['bare.any', 'status.bare.any'],
    ['port', undefined],
    ['port.any', 'status.port.any'],
    ['unsaid.any', undefined],
    ['template.metadata.name', undefined],
    ['template.other', 'status.template.other'],
  ])('%s is absent from its schema: %s', (path, absent) => {
    const status = object({
      phase: string,
      conditions,
      zones: { type: 'object', additionalProperties: string },
      free: { type: 'object', additionalProperties: true },
      kept: object({ known: object({}) }, open),
      bare: { type: 'object' },
      port: { 'x-kubernetes-int-or-string': true },
      unsaid: {},
      template: object({}, { 'x-kubernetes-embedded-resource': true }),
    });
    expect(inStatus(status, path)).toBe(absent);
  });

  test('is not looked for in what every object has, and what is meant is guessed', () => {
    expect(absentField(definition(string), ['metadata', 'labels', 'any'])).toBeUndefined();
    expect(absentField(definition(object({ phase: string })), ['status', 'phas'])?.guess).toContain('"phase"');
  });

  test('is absent only if no version has it', () => {
    const [one, two] = [object({ phase: string }), object({ state: string })];
    expect(absentField(definition(one, two), ['status', 'state'])).toBeUndefined();
    expect(absentField(definition(one, two), ['status', 'other'])?.path).toEqual(['status', 'other']);
  });

  test('is never absent where unknown fields are kept, or nothing is known', () => {
    const path = ['status', 'any'];
    expect(absentField(definition(), path)).toBeUndefined();
    const known = definition(object({})) as { readonly spec: object };
    expect(absentField(known, path)).toBeDefined();
    expect(absentField({ ...known, spec: { ...known.spec, preserveUnknownFields: true } }, path)).toBeUndefined();
    expect(absentField({ ...known, apiVersion: 'apiextensions.k8s.io/v1beta1' }, path)).toBeUndefined();
    expect(absentField({ ...known, spec: { versions: [{ name: 'v1' }] } }, path)).toBeUndefined();
  });
});
