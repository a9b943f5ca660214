import { describe, expect, test } from 'vitest';
import { mayPass } from '../../../../../lib/parts/clusters/kubernetes/apply/dry-run-refusals.ts';
import { isReplaceable, unchangeable } from '../../../../../lib/parts/clusters/kubernetes/apply/replace.ts';
import {
  isDryRunUnsupported,
  isTransientRefusal,
} from '../../../../../lib/parts/clusters/kubernetes/apply/transient-refusals.ts';
import { PART_OF } from '../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { ApiError } from '../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { live, map, members, stated } from './support.ts';

const error = (status: number, message: string, causes: ApiError['causes'] = [], reason = ''): ApiError =>
  new ApiError({ verb: 'apply', subject: 'Pod n/p' }, { status, causes, reason }, message);

describe('a refusal', () => {
  test.each([
    [503, 'the server is currently unable to handle the request'],
    [429, 'too many requests'],
    [409, 'the object has been modified; please apply your changes to the latest version and try again'],
    [500, 'Internal error occurred: failed calling webhook "w.example.com": no endpoints available'],
    [403, 'pods "p" is forbidden: error looking up service account n/default: serviceaccount "default" not found'],
    [403, 'pods "p" is forbidden: status unknown for quota: few, resources: pods'],
    [404, 'the server could not find the requested resource'],
  ])('of status %i passes: %s', (status, message) => {
    expect(isTransientRefusal(error(status, message))).toBe(true);
  });

  test.each([
    [403, 'pods "p" is forbidden: User "x" cannot patch resource "pods"'],
    [403, 'pods "p" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'],
    [400, 'admission webhook "w.example.com" denied the request: no'],
    [422, 'Deployment.apps "d" is invalid: spec.replicas: Invalid value: -1'],
    [404, 'namespaces "n" not found'],
    [0, 'the connection is refused'],
  ])('of status %i does not: %s', (status, message) => {
    expect(isTransientRefusal(error(status, message))).toBe(false);
  });

  test('for a field of another manager does not pass', () => {
    expect(isTransientRefusal(error(409, 'Apply failed with 1 conflict', [{ reason: 'FieldManagerConflict' }]))).toBe(
      false,
    );
  });

  test('of a webhook that knows no dry runs says nothing about the object', () => {
    const words = 'admission webhook "w.example.com" does not support dry run';
    expect(isDryRunUnsupported(error(400, words))).toBe(true);
    expect(isDryRunUnsupported(error(422, words))).toBe(false);
  });
});

describe('a dry run', () => {
  const robot = members(stated('v1', 'ServiceAccount', 'n/robot'));
  const quota = members(stated('v1', 'ResourceQuota', 'n/few'));
  const webhook = members(
    stated('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard', {
      webhooks: [{ name: 'guard.example.com' }],
    }),
  );
  const missing = error(
    403,
    'pods "p" is forbidden: error looking up service account n/robot: serviceaccount "robot" not found',
  );

  test('may fail for what the request is about to make or change', () => {
    expect(mayPass(missing, robot, robot)).toBe(true);
    expect(mayPass(error(403, 'pods "p" is forbidden: exceeded quota: few, requested: pods=1'), quota, quota)).toBe(
      true,
    );
    expect(mayPass(error(400, 'admission webhook "guard.example.com" denied the request: no'), webhook, webhook)).toBe(
      true,
    );
  });

  test('tells the truth where that is as it will be', () => {
    expect(mayPass(missing, [], robot)).toBe(false);
    expect(mayPass(error(400, 'admission webhook "guard.example.com" denied the request: no'), [], webhook)).toBe(
      false,
    );
  });

  test('may fail for a webhook of the request that does not answer yet', () => {
    const down = error(500, 'failed calling webhook "guard.example.com": no endpoints available');
    expect(mayPass(down, [], webhook)).toBe(true);
    expect(mayPass(down, [], [])).toBe(false);
  });

  test.each(['robot-2', 'my-robot', 'robots'])('is not excused by a name that is a part of another: %s', (name) => {
    expect(mayPass(error(403, `pods "p" is forbidden: serviceaccount "${name}" not found`), robot, robot)).toBe(false);
  });

  test('is not excused by the name of the refused object itself', () => {
    expect(mayPass(error(403, 'pods "robot" is forbidden: violates PodSecurity'), robot, robot)).toBe(false);
  });
});

describe('what cannot change', () => {
  const labels = { [PART_OF]: 'applyset-x-v1' };

  test('is replaced where that loses nothing, if solpack made it', () => {
    expect(isReplaceable(live(stated('batch/v1', 'Job', 'n/j'), { labels }))).toBe(true);
    expect(isReplaceable(live(map('n/a'), { labels }))).toBe(true);
    expect(isReplaceable(live(map('n/a')))).toBe(false);
    expect(isReplaceable(live(map('n/a'), { labels, managedFields: [] }))).toBe(false);
    expect(isReplaceable(live(stated('apps/v1', 'StatefulSet', 'n/s'), { labels }))).toBe(false);
    expect(isReplaceable(live(stated('example.com/v1', 'Job', 'n/j'), { labels }))).toBe(false);
  });

  test('is refused otherwise, with what can be done', () => {
    const told = unchangeable(live(stated('apps/v1', 'StatefulSet', 'n/s'), { labels }), new Error('spec: Forbidden'));
    expect(told).toMatchObject({
      code: 'object-refused',
      subject: 'StatefulSet n/s',
      hint: expect.stringContaining('kubectl delete statefulset s -n n'),
    });
    expect(unchangeable(live(map('n/a')), new Error('no')).hint).toContain('solpack did not make it');
  });
});
