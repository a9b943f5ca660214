import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/documents.ts';
import { driftOf } from '../../../../../../../lib/parts/clusters/kubernetes/observe/status/drift.ts';
import type { LiveObject } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { live, map, stated } from '../../support.ts';

const own = (fieldsV1: object) => ({ manager: 'solpack-edge', operation: 'Apply', fieldsV1: fieldsV1 as never });
const other = (fieldsV1: object, more: object = {}) => {
  return {
    manager: 'kubectl-edit',
    operation: 'Update',
    time: '2026-01-02T03:04:05Z',
    fieldsV1: fieldsV1 as never,
    ...more,
  };
};

/** What has drifted, by path. */
function drifted(
  wanted: KubernetesObject,
  found: object,
  ...managedFields: readonly object[]
): Record<string, unknown> {
  const now = live(
    { ...wanted, ...found },
    { managedFields: managedFields as LiveObject['metadata']['managedFields'] & {} },
  );
  return Object.fromEntries(
    driftOf(wanted, now, 'solpack-edge').map(({ path, found: value, manager }) => [path, [value, manager]]),
  );
}

const pod = (spec: object): KubernetesObject => stated('v1', 'Pod', 'shop/web', { spec });

describe('a field', () => {
  test('with an integer of 64 bits is what the server has of it, exactly or as a number', () => {
    const limit = { limit: 9223372036854774807n };
    const widget = stated('example.com/v1', 'Widget', 'shop/w', { spec: limit });
    expect(drifted(widget, { spec: limit })).toEqual({});
    expect(drifted(widget, { spec: { limit: Number(limit.limit) } })).toEqual({});
    expect(drifted(widget, { spec: { limit: limit.limit - 1n } })).toEqual({ 'spec.limit': [limit.limit - 1n, null] });
  });

  test('that its manager still owns has not drifted, whatever it says', () => {
    expect(drifted(map('shop/a'), { data: { value: '2' } }, own({ 'f:data': { 'f:value': {} } }))).toEqual({});
  });

  test('that is not its manager’s any longer has, unless it says what was applied', () => {
    const theirs = other({ 'f:data': { 'f:value': {} } });
    expect(drifted(map('shop/a'), { data: { value: '2' } }, own({}), theirs)).toEqual({
      'data.value': ['2', 'kubectl-edit'],
    });
    expect(drifted(map('shop/a'), { data: { value: '1' } }, own({}), theirs)).toEqual({});
  });

  test('that nobody owns any longer is gone, and so is all that stood below it', () => {
    expect(drifted(map('shop/a'), { data: undefined }, own({}))).toEqual({ 'data.value': [null, null] });
  });

  test('is reported with who owns it last, also as a part of something larger', () => {
    const before = other({ 'f:data': {} }, { manager: 'before', time: '2026-01-01T00:00:00Z' });
    const after = other({ 'f:data': { 'f:value': {} } });
    expect(drifted(map('shop/a'), { data: { value: '2' } }, before, after)).toEqual({
      'data.value': ['2', 'kubectl-edit'],
    });
    expect(drifted(map('shop/a'), { data: { value: '2' } }, before)).toEqual({ 'data.value': ['2', 'before'] });
  });

  test('that was stated as null, or as a list of nothing, is nobody’s', () => {
    const wanted = pod({ nodeName: null, tolerations: [] });
    expect(drifted(wanted, { spec: { nodeName: 'a', tolerations: [{ key: 'x' }] } }, own({}))).toEqual({});
  });
});

describe('an entry of a list', () => {
  const ports = [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }];
  const keys = (protocol: string): string => `k:{"containerPort":53,"protocol":"${protocol}"}`;

  test('is known by its keys, those that are set by default among them', () => {
    const fields = { 'f:spec': { 'f:ports': { [keys('TCP')]: { '.': {}, 'f:containerPort': {} } } } };
    const found = { spec: { ports: [{ containerPort: 53, protocol: 'TCP' }] } };
    expect(drifted(pod({ ports }), found, own(fields))).toEqual({ 'spec.ports.1': [null, null] });
    const udp = { 'f:spec': { 'f:ports': { [keys('UDP')]: { '.': {}, 'f:containerPort': {} } } } };
    const left = { spec: { ports: [{ containerPort: 53, protocol: 'UDP' }] } };
    expect(drifted(pod({ ports }), left, own(udp))).toEqual({ 'spec.ports.0': [null, null] });
  });

  test('of a set is known by its value', () => {
    const wanted = { ...map('shop/a'), metadata: { ...map('shop/a').metadata, finalizers: ['a/b', 'c/d'] } };
    const fields = { 'f:data': { 'f:value': {} }, 'f:metadata': { 'f:finalizers': { 'v:"a/b"': {} } } };
    const now = { metadata: { ...wanted.metadata, finalizers: ['a/b'] } };
    expect(
      driftOf(wanted, live({ ...wanted, ...now }, { managedFields: [own(fields)] }), 'solpack-edge'),
    ).toMatchObject([{ path: 'metadata.finalizers.1', wanted: 'c/d', found: null }]);
  });

  test('of a list that is set as a whole is no field of its own', () => {
    const theirs = other({ 'f:spec': { 'f:args': {} } });
    expect(drifted(pod({ args: ['a', 'b'] }), { spec: { args: ['a'] } }, own({}), theirs)).toEqual({
      'spec.args': [['a'], 'kubectl-edit'],
    });
    expect(drifted(pod({ args: ['a', 'b'] }), { spec: { args: ['c'] } }, own({ 'f:spec': { 'f:args': {} } }))).toEqual(
      {},
    );
  });
});

test('records of fields that are damaged take nothing down', () => {
  const strange = fc.letrec((tie) => ({
    value: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(tie('value')), tie('fields')),
    fields: fc.dictionary(
      fc.oneof(
        fc.constantFrom('.', 'f:data', 'f:spec', 'f:value', 'k:{', 'k:{"name":"a"}', 'k:[1]', 'v:', 'v:"a"', 'k:null'),
        fc.string(),
      ),
      tie('value'),
    ),
  }));
  const wanted = fc.constantFrom(
    map('shop/a'),
    pod({ containers: [{ name: 'a', args: ['b'] }], list: ['a', 1, null] }),
  );
  fc.assert(
    fc.property(wanted, fc.array(strange.fields), strange.value, (object, fields, found) => {
      const managedFields = fields.flatMap((one) => [own(one as object), other(one as object)]);
      const now = live({ ...object, spec: found, data: found } as KubernetesObject, { managedFields });
      for (const { path } of driftOf(object, now, 'solpack-edge')) expect(path).not.toBe('');
    }),
  );
});
