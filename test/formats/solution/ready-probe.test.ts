import { describe, expect, test } from 'vitest';
import { askedEndpoint, probeQuestion, probeSubject } from '../../../formats/solution/ready-probe.ts';
import { readyProbeSchema } from '../../../formats/solution/ready-probe-schema.ts';

const ofObject = { apiVersion: 'v1', kind: 'Pod', name: 'web', cel: 'true' };

/** What is wrong with a probe; empty where nothing is. */
const problems = (probe: object): string[] =>
  (readyProbeSchema.safeParse(probe).error?.issues ?? []).map(({ message }) => message);

describe('an endpoint', () => {
  test.each([
    [
      { http: 'web/8080/healthz?full=1%2B1' },
      { scheme: 'http', service: 'web', port: '8080', path: '/healthz?full=1%2B1' },
    ],
    [{ https: 'web/metrics' }, { scheme: 'https', service: 'web', port: 'metrics', path: '/' }],
    [{ http: 'web/80/' }, { scheme: 'http', service: 'web', port: '80', path: '/' }],
    [{ http: 'web/80?a=b/../c' }, { scheme: 'http', service: 'web', port: '80', path: '/?a=b/../c' }],
    [{ tcp: 'db/5432' }, { scheme: 'tcp', service: 'db', port: '5432', path: '/' }],
  ])('%j is a port of a Service, and a path there', (probe, endpoint) => {
    expect(problems(probe)).toEqual([]);
    expect(askedEndpoint(probe)).toEqual(endpoint);
  });

  test.each([
    'web',
    'web/',
    '/80',
    'Web/80',
    'web/0',
    'web/65536',
    'web/80/../../secrets',
    'web/80/./a',
    'web/80/%2e%2e/a',
    'web/80/a b',
    'web/80/a#b',
    'web/80/\\..',
  ])('%j is none', (http) => {
    expect(problems({ http })).toHaveLength(1);
    expect(problems({ tcp: http })).toHaveLength(1);
  });

  test('has no path for tcp', () => expect(problems({ tcp: 'db/5432/' })).toHaveLength(1));

  test('is named by its Service', () => {
    const probe = { http: 'web/8080/healthz', namespace: 'shop' };
    expect([probeSubject(probe), probeQuestion(probe)]).toEqual(['Service shop/web', 'http web/8080/healthz']);
  });
});

describe('a probe', () => {
  test.each([
    [{}, 'has to have apiVersion and kind, or one of http, https and tcp'],
    [{ kind: 'Pod', name: 'web', cel: 'true' }, 'has to have apiVersion and kind, or one of http, https and tcp'],
    [{ ...ofObject, name: undefined }, 'has to have either name or selector'],
    [{ ...ofObject, condition: 'Ready' }, 'has to have either cel or condition'],
    [{ http: 'web/80', tcp: 'web/80' }, 'has to have only one of http, https and tcp'],
    [{ ...ofObject, tcp: 'web/80' }, 'asks tcp, and has to have no apiVersion and no kind and no name and no cel'],
  ])('%j says what it lacks', (probe, message) => expect(problems(probe)).toEqual([message]));

  test('is about an object, or asks an endpoint', () => {
    expect([problems(ofObject), problems({ tcp: 'web/80', namespace: 'shop' })]).toEqual([[], []]);
    expect(askedEndpoint(ofObject)).toBeUndefined();
  });
});
