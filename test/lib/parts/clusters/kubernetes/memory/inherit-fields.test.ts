import { describe, expect, test } from 'vitest';
import { PART_OF } from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { asHeir, heritageOf, legacyOf } from '../../../../../../lib/parts/clusters/kubernetes/memory/inherit-fields.ts';
import type { LiveObject } from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { live, map } from '../support.ts';

type Entry = NonNullable<LiveObject['metadata']['managedFields']>[number];

const entry = (manager: string, fieldsV1: object = {}, more: object = {}): Entry =>
  ({ manager, operation: 'Apply', apiVersion: 'v1', time: 't', fieldsType: 'FieldsV1', fieldsV1, ...more }) as Entry;
const object = (labels: Record<string, string>, ...managedFields: Entry[]): LiveObject =>
  live(map('n/a'), { labels, managedFields });
const owner = { manager: 'solpack-here', sets: new Set(['mine', 'left']) };

describe('a configuration inherits', () => {
  test('what solpack applied when it had one name for all, and leaves what others have set', () => {
    const kubectl = entry('kubectl', { 'f:data': { 'f:b': {} } });
    const status = entry('solpack', { 'f:status': {} }, { subresource: 'status' });
    const heritage = heritageOf(
      object({}, entry('solpack', { 'f:data': { 'f:a': {} } }), kubectl, status),
      'solpack-here',
    );
    expect(heritage).toEqual({
      managers: ['solpack'],
      managedFields: [entry('solpack-here', { 'f:data': { 'f:a': {} } }), kubectl, status],
    });
  });

  test('the fields of each of several, which are one tree then', () => {
    const one = entry('solpack-there', { 'f:data': { '.': {}, 'f:a': {} } });
    const own = entry('solpack-here', { 'f:data': { 'f:b': {} }, 'f:metadata': { 'f:labels': { 'f:c': {} } } });
    const heritage = heritageOf(object({}, one, own), 'solpack-here');
    expect(heritage?.managers).toEqual(['solpack-there', 'solpack-here']);
    const fields = { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} }, 'f:metadata': { 'f:labels': { 'f:c': {} } } };
    expect(heritage?.managedFields).toEqual([entry('solpack-here', fields)]);
  });

  test('nothing where it has all already, nothing of other tools, and nothing that was updated', () => {
    const others = [entry('kubectl'), entry('solpacker'), entry('solpack', {}, { operation: 'Update' })];
    expect(heritageOf(object({}, entry('solpack-here'), ...others), 'solpack-here')).toBeUndefined();
    expect(heritageOf(object({}, ...others), 'solpack-here')).toBeUndefined();
  });

  test('nothing of an object that belongs to another set, or to none', () => {
    const of = (labels: Record<string, string>) => legacyOf(object(labels, entry('solpack')), owner)?.managers;
    expect(of({ [PART_OF]: 'mine' })).toEqual(['solpack']);
    expect(of({ [PART_OF]: 'left' })).toEqual(['solpack']);
    expect(of({ [PART_OF]: 'another' })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });
});

test('a dry run is made in the name of the one who is inherited from', () => {
  const mine = { [PART_OF]: 'mine' };
  expect(asHeir(undefined, owner)).toEqual({ manager: 'solpack-here' });
  expect(asHeir(object(mine, entry('solpack-here')), owner)).toEqual({ manager: 'solpack-here' });
  expect(asHeir(object(mine, entry('solpack')), owner)).toEqual({ manager: 'solpack' });
  expect(asHeir(object({}, entry('solpack')), owner)).toEqual({ manager: 'solpack-here' });
  const both = object(mine, entry('solpack-here'), entry('solpack'));
  expect(asHeir(both, owner)).toEqual({ manager: 'solpack-here', force: true });
});
