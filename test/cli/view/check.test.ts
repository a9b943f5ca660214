import { expect, test } from 'vitest';
import { checkView } from '../../../cli/view/check.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { CheckResult } from '../../../lib/index.ts';
import { silentSink } from '../../support/sinks.ts';

type Finding = CheckResult['findings'][number];

const wide = styleFor(silentSink, {});
const narrow = { ...wide, width: 80 };
const empty = {
  definition: '/a',
  images: [],
  unproved: [],
  unused: [],
  drawn: [],
  kubernetes: [],
  name: 'shop',
  version: '1.0.0',
};

const place = { component: 'web', source: 'web/templates/deployment.yaml', object: 'Deployment/shop/web' };
const lacking = (image: string, path: string): Finding => ({
  code: 'image-unheld',
  ...place,
  path,
  message: `${image} is not among the images`,
  image,
  kubernetes: [],
});
const other: Finding = {
  code: 'object-invalid',
  ...place,
  path: 'spec.replicas',
  message: 'has to be an integer',
  kubernetes: ['1.35.0'],
};

const shown = (findings: readonly Finding[], style = wide, given = '.'): string[] =>
  checkView({ ...empty, ok: findings.length === 0, findings }, style, given);

const redis = 'docker.io/library/redis:7';

test('images that are lacking are a table, with a row for each object, and the command that adds them', () => {
  expect(shown([lacking(redis, 'a'), lacking(redis, 'b'), lacking('r/b:1', 'c')])).toEqual([
    'not closed shop 1.0.0',
    "  rendered for Helm's own Kubernetes version",
    '',
    '2 images not held',
    '  image                      component  object               file',
    '  docker.io/library/redis:7  web        Deployment/shop/web  web/templates/deployment.yaml',
    '  r/b:1                      web        Deployment/shop/web  web/templates/deployment.yaml',
    '',
    'To mend it: solpack images --write',
  ]);
});

test('a terminal that is too narrow gets two lines for a row', () => {
  expect(shown([lacking(redis, 'a')], narrow).slice(4, 8)).toEqual([
    '  image',
    '      component  object  file',
    '  docker.io/library/redis:7',
    '      web  Deployment/shop/web  web/templates/deployment.yaml',
  ]);
});

test('what else was found has its place, and what is wrong below', () => {
  const lines = shown([lacking(redis, 'a'), other], wide, './my shop');
  expect(lines.slice(-5)).toEqual([
    '1 other finding',
    '  object-invalid  web  Deployment/shop/web  web/templates/deployment.yaml  for Kubernetes 1.35.0',
    '      spec.replicas: has to be an integer',
    '',
    "To add the images: solpack images --write './my shop'",
  ]);
  expect(shown([other]).at(-1)).toBe('What to do: solpack explain object-invalid');
  const unrendered: Finding = { ...other, code: 'not-rendered' };
  expect(shown([lacking(redis, 'a'), unrendered]).at(-1)).toBe('What to do: solpack explain not-rendered');
});

test('a Solution that is closed asks for nothing', () => {
  expect(shown([])).toEqual(['closed shop 1.0.0', "  rendered for Helm's own Kubernetes version"]);
});
