import { expect, test } from 'vitest';
import { scopesOf } from '../../../../../formats/manifest/namespace.ts';
import { askedServices, breachesOfRendered } from '../../../../../lib/shared/solutions/trusted/object-bounds.ts';

test('a Service that a probe asks is bounded as an object is', () => {
  const asked = askedServices([
    { tcp: 'db/5432', namespace: 'data' },
    { http: 'web/80', namespace: 'shop' },
    { https: 'web/443' },
    { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'data', condition: 'Ready' },
  ]);
  const breaches = asked.flatMap((one) => breachesOfRendered(one, scopesOf([]), undefined, { namespaces: ['shop'] }));
  expect(breaches.map(({ subject }) => subject)).toEqual(['Service data/db', 'Service default/web']);
  expect(breaches[0]).toMatchObject({ code: 'policy-bounds', message: expect.stringContaining('namespace data') });
});
