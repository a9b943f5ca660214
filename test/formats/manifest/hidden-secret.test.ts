import { describe, expect, test } from 'vitest';
import { hiddenSecret } from '../../../formats/manifest/hidden-secret.ts';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'login',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":1}', own: 'x' },
  },
  data: { password: 'c2VjcmV0' },
  stringData: { token: 'abc' },
  type: 'Opaque',
};

describe('a Secret', () => {
  test('is shown with the names of its values alone, and without what kubectl repeats of them', () => {
    expect(hiddenSecret(secret)).toEqual({
      ...secret,
      metadata: { name: 'login', annotations: { own: 'x' } },
      data: { password: '***' },
      stringData: { token: '***' },
    });
  });

  test('keeps the form that its author gave it', () => {
    const bare = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', annotations: null }, data: null };
    expect(hiddenSecret(bare)).toEqual(bare);
  });
});

test('another object stays as it is', () => {
  const map = { ...secret, kind: 'ConfigMap' };
  expect(hiddenSecret(map)).toBe(map);
});
