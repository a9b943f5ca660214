import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { type Bounds, isClusterScopedAllowed, isImageAllowed } from '../../../formats/trust/bounds.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';

const key = 'a'.repeat(64);
const policy = (allow: string): string =>
  `version = 1\n[[keys]]\nid = "${key}"\nfile = "k.pub"\n[[policies]]\nmatch = "*"\nkeys = ["${key}"]\n[policies.allow]\n${allow}\n`;

function refusal(text: string): string {
  try {
    parsePolicy(utf8(text));
  } catch (error) {
    if (error instanceof FormatError && error.code === 'policy-invalid') return error.message;
    throw error;
  }
  return 'accepted';
}

test('the bounds of a rule are read as they are written, the same in TOML and in JSON; those left out are none', () => {
  const allow: Bounds = {
    components: ['manifests', 'helm'],
    namespaces: ['guestbook', 'guestbook-*'],
    clusterScoped: ['Node', 'ClusterRole*.rbac.authorization.k8s.io', '*'],
    images: ['registry.example.com:5000/guestbook/*', 'docker.io/library/nginx', 'localhost/*', '[::1]:5000/a', '*/a'],
    moveTags: false,
  };
  const toml = Object.entries(allow).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);
  const { policies } = parsePolicy(utf8(policy(toml.join('\n'))));
  expect(policies[0]!.allow).toEqual(allow);
  const json = { version: 1, keys: [{ id: key, file: 'k.pub' }], policies: [{ match: '*', keys: [key], allow }] };
  expect(parsePolicy(utf8(JSON.stringify(json))).policies).toEqual(policies);
  expect(parsePolicy(utf8(policy(''))).policies[0]!.allow).toEqual({});
});

test.each([
  [
    'an unknown bound',
    'namespace = ["a"]',
    /^9:1: policies\.0\.allow\.namespace: unknown field; did you mean "namespaces"\?$/,
  ],
  [
    'a kind of component that there is not',
    'components = ["plugins"]',
    /^9:\d+: policies\.0\.allow\.components\.0: has to be one of manifests, kustomize, helm, plugin, registry\+v1, plain\+v0, components\.d, but is "plugins"; did you mean "plugin"\?$/,
  ],
  [
    'a name that no namespace has',
    'namespaces = ["Guest book"]',
    /^9:\d+: policies\.0\.allow\.namespaces\.0: has to be the name of a namespace/,
  ],
  [
    'a kind with its version',
    'clusterScoped = ["ClusterRole.rbac.authorization.k8s.io/v1"]',
    /clusterScoped\.0: has to be a kind with its API group/,
  ],
  [
    'an image without its registry',
    'images = ["library/nginx"]',
    /^9:\d+: policies\.0\.allow\.images\.0: has to be REGISTRY\/REPOSITORY in full/,
  ],
  ['a registry alone', 'images = ["registry.example.com"]', /images\.0: has to be REGISTRY\/REPOSITORY/],
  ['an image with a tag', 'images = ["registry.example.com/web:1"]', /images\.0: has to be REGISTRY\/REPOSITORY/],
  ['a word for yes or no', 'moveTags = "no"', /^9:1: policies\.0\.allow\.moveTags: /],
  ['one name in place of a list', 'namespaces = "guestbook"', /^9:1: policies\.0\.allow\.namespaces: /],
])('a policy with %s is refused, with the place', (_, allow, expected) => {
  expect(refusal(policy(allow))).toMatch(expected);
});

describe('images', () => {
  const allowed = (images: string[] | undefined, registry: string, repository: string): boolean =>
    isImageAllowed(images === undefined ? {} : { images }, { registry, repository });

  test('are allowed by registry and repository, in which * goes across folders', () => {
    const images = ['registry.example.com/guestbook/*', 'docker.io/library/nginx'];
    expect(allowed(images, 'registry.example.com', 'guestbook/web')).toBe(true);
    expect(allowed(images, 'registry.example.com', 'guestbook/a/b')).toBe(true);
    expect(allowed(images, 'docker.io', 'library/nginx')).toBe(true);
    expect(allowed(images, 'docker.io', 'library/nginx2')).toBe(false);
    expect(allowed(images, 'registry.example.com', 'guestbook')).toBe(false);
    expect(allowed(images, 'registry.example.com:5000', 'guestbook/web')).toBe(false);
    expect(allowed([], 'docker.io', 'library/nginx')).toBe(false);
    expect(allowed(undefined, 'docker.io', 'library/nginx')).toBe(true);
  });

  test('are of no registry whose name is only a folder elsewhere', () => {
    expect(allowed(['*.example.com/web'], 'a.example.com', 'web')).toBe(true);
    expect(allowed(['*.example.com/web'], 'evil.example', 'a.example.com/web')).toBe(false);
  });
});

describe('kinds outside of namespaces', () => {
  const role = 'ClusterRole.rbac.authorization.k8s.io';
  test.each<[string, Bounds, string, string, boolean]>([
    ['nothing is said', {}, role, 'r', true],
    ['nothing is said', {}, 'Namespace', 'kube-system', true],
    ['they are listed', { clusterScoped: [role] }, role, 'r', true],
    ['others are listed', { clusterScoped: ['CustomResourceDefinition.apiextensions.k8s.io'] }, role, 'r', false],
    ['the same kind of another group is listed', { clusterScoped: ['ClusterRole'] }, role, 'r', false],
    ['none is listed', { clusterScoped: [] }, 'Namespace', 'guestbook', false],
    ['namespaces are limited', { namespaces: ['guestbook'] }, role, 'r', false],
    ['namespaces are limited, and they are listed', { namespaces: [], clusterScoped: [role] }, role, 'r', true],
    ['namespaces are limited to it', { namespaces: ['guestbook'] }, 'Namespace', 'guestbook', true],
    ['namespaces are limited to it', { namespaces: ['guest*'], clusterScoped: [] }, 'Namespace', 'guestbook', true],
    ['namespaces are limited to others', { namespaces: ['guestbook'], clusterScoped: ['*'] }, 'Namespace', 'x', false],
  ])('where %s', (_, bounds, kind, name, expected) => {
    expect(isClusterScopedAllowed(bounds, kind, name)).toBe(expected);
  });
});
