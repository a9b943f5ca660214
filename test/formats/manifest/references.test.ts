import { describe, expect, test } from 'vitest';
import { changeStrings } from '../../../formats/manifest/change-strings.ts';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { fieldName, referencesIn } from '../../../formats/manifest/references.ts';
import { imagesOf } from '../../support/images-of.ts';

/** Finds what the objects of a text name, as `certainty path reference`, with what else is told of it. */
function found(text: string, held: readonly string[] = []): string[] {
  return parseDocuments(text, 'f').flatMap((object) =>
    referencesIn(object, (name) => held.includes(name)).map(({ reference, path, certainty, pulled, whole, joined }) =>
      [
        certainty,
        fieldName(path),
        reference,
        ...(pulled ? [] : ['never pulled']),
        ...(whole ? [] : ['in part']),
        ...(joined ?? []).map(fieldName),
      ].join(' '),
    ),
  );
}

/** An object of a kind that nobody knows, with these fields. */
const custom = (fields: string): string => `apiVersion: example.com/v1\nkind: Custom\nmetadata: {name: c}\n${fields}\n`;
const configMap = (data: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n${data}\n`;

describe('certain references', () => {
  test('are the images of containers and of image volumes, whatever embeds them', () => {
    const pod =
      '{containers: [{name: a, image: app:1}, {name: b}], initContainers: [{name: c, image: init}], ephemeralContainers: ' +
      '[{name: d, image: debug:1}], volumes: [{name: v, image: {reference: data:1}}, {name: w, emptyDir: {}}]}';
    const paths = (lead: string): string[] => [
      `certain ${lead}containers.0.image app:1`,
      `certain ${lead}initContainers.0.image init`,
      `certain ${lead}ephemeralContainers.0.image debug:1`,
      `certain ${lead}volumes.0.image.reference data:1`,
    ];
    expect(found(`apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: ${pod}`)).toEqual(paths('spec.'));
    const cron = `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {jobTemplate: {spec: {template: {spec: ${pod}}}}}`;
    expect(found(cron)).toEqual(paths('spec.jobTemplate.spec.template.spec.'));
    expect(found(custom(`spec: {install: [{podTemplate: {spec: ${pod}}}]}`))).toEqual(
      paths('spec.install.0.podTemplate.spec.'),
    );
  });

  test('tell whether a node may pull them', () => {
    const spec =
      'spec: {containers: [{name: a, image: a, imagePullPolicy: Never}, {name: b, image: b, imagePullPolicy: Always}], ' +
      'volumes: [{name: v, image: {reference: v, pullPolicy: Never}}]}';
    expect(found(custom(spec))).toEqual([
      'certain spec.containers.0.image a never pulled',
      'certain spec.containers.1.image b',
      'certain spec.volumes.0.image.reference v never pulled',
    ]);
  });
});

describe('likely references', () => {
  test('are what has a host and a tag or a digest: in arguments, in variables, in fields of custom resources', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: operator}
spec:
  template:
    spec:
      containers:
      - name: operator
        image: registry.example.com/operator:1
        args: [--reloader=registry.example.com/reloader:2, --engine, registry.example.com/engine:3, "--listen=0.0.0.0:80"]
        command: [sh, -c, "exec run --image registry:5000/job@${digest}; sleep 1"]
        env: [{name: RELATED_IMAGE_DB, value: registry.example.com/db:4}, {name: HOME, value: /home}]
`;
    expect(found(deployment)).toEqual([
      'certain spec.template.spec.containers.0.image registry.example.com/operator:1',
      'likely spec.template.spec.containers.0.args.0 registry.example.com/reloader:2 in part',
      'likely spec.template.spec.containers.0.args.2 registry.example.com/engine:3',
      `likely spec.template.spec.containers.0.command.2 registry:5000/job@${digest} in part`,
      'likely spec.template.spec.containers.0.env.0.value registry.example.com/db:4',
    ]);
    expect(found(custom('spec: {image: localhost/app:1, relatedImages: [{name: db, image: a.example/db:1}]}'))).toEqual(
      ['likely spec.image localhost/app:1', 'likely spec.relatedImages.0.image a.example/db:1'],
    );
  });

  test('are what the archive holds, with a host or without, wherever it has a tag', () => {
    const text = custom(
      'spec: {a: team/app:1, b: team/app, c: [--x=team/app:1], d: other/app:1, labels: {app: redis}}',
    );
    expect(found(text, ['team/app:1', 'team/app', 'redis'])).toEqual([
      'likely spec.a team/app:1',
      'likely spec.c.0 team/app:1 in part',
    ]);
  });

  test('need no host where the field, the variable or the option is called an image, or beside a command', () => {
    const text = custom(
      'spec: {sidecarImage: team/sidecar:1, args: [--helper-image=busybox:1, --helper-image, busybox:2, --cache=redis:6379], ' +
        'env: [{name: JOB_IMAGE, value: job:1}], steps: [{image: alpine, script: x}], other: {image: alpine, env: {}}}',
    );
    expect(found(text)).toEqual([
      'likely spec.sidecarImage team/sidecar:1',
      'likely spec.args.0 busybox:1 in part',
      'likely spec.args.2 busybox:2',
      'likely spec.env.0.value job:1',
      'likely spec.steps.0.image alpine',
    ]);
  });

  test('are joined from siblings', () => {
    const text = custom(`spec:
  image: {registry: registry.example.com, repository: team/web, tag: 1.5}
  sidecar: {image: registry.example.com/sidecar, version: v2}
  exporter: {image: registry.example.com/exporter:3, version: v3, tag: v3}
  baseImage: quay.example/db
  version: v4
  chart: {repository: registry.example.com/charts/web, version: 1.0.0}
  git: {repository: org/app, tag: v1}
  env: [{name: AGENT_IMAGE_REPOSITORY, value: team/agent}, {name: AGENT_IMAGE_TAG, value: "5"}]
  digested: {image: {repository: a.example/b, sha: ${'a'.repeat(64)}}}
`);
    expect(found(text)).toEqual([
      'likely spec.baseImage quay.example/db:v4 in part spec.version',
      'likely spec.image.repository registry.example.com/team/web:1.5 in part spec.image.tag spec.image.registry',
      'likely spec.sidecar.image registry.example.com/sidecar:v2 in part spec.sidecar.version',
      'likely spec.exporter.image registry.example.com/exporter:3',
      'likely spec.env.0.value team/agent:5 in part spec.env.1.value',
      `likely spec.digested.image.repository a.example/b@sha256:${'a'.repeat(64)} in part spec.digested.image.sha`,
    ]);
  });

  test('are joined of registry, repository, image and tag, in any of their forms', () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    const text = custom(`spec:
  driver: {repository: nvcr.example/team, image: driver, version: "595.91", imagePullPolicy: Always, env: []}
  toolkit: {registry: nvcr.example, repository: team/k8s/, image: toolkit, tag: v1}
  pinned: {repository: nvcr.example/team, image: pinned, version: "${digest}"}
  empty: {repository: "", image: manager, version: "", imagePullPolicy: Always}
  whole: {repository: "https://charts.example", image: nvcr.example/whole, version: "2"}
  named: {image: {registry: quay.example, name: team/named, tag: "3"}}
  variables: [{name: PLUGIN_REPOSITORY, value: nvcr.example/team}, {name: PLUGIN_IMAGE, value: plugin}, {name: PLUGIN_VERSION, value: "4"}]
`);
    expect(found(text)).toEqual([
      'likely spec.driver.image nvcr.example/team/driver:595.91 in part spec.driver.repository spec.driver.version',
      'likely spec.toolkit.image nvcr.example/team/k8s/toolkit:v1 in part spec.toolkit.repository spec.toolkit.tag spec.toolkit.registry',
      `likely spec.pinned.image nvcr.example/team/pinned@${digest} in part spec.pinned.repository spec.pinned.version`,
      'likely spec.whole.image nvcr.example/whole:2 in part spec.whole.version',
      'likely spec.named.image.name quay.example/team/named:3 in part spec.named.image.tag spec.named.image.registry',
      'likely spec.variables.1.value nvcr.example/team/plugin:4 in part spec.variables.0.value spec.variables.2.value',
    ]);
  });

  test('are joined with hub or registry, and with a tag, of one level above', () => {
    const values = {
      hub: '',
      tag: '',
      image: 'pilot',
      env: {},
      global: { hub: 'r.example/mesh', tag: '1.30', proxy: { image: 'proxy' } },
    };
    const text = `${configMap(`  values: '${JSON.stringify(values)}'`)}---
${custom(`spec:
  registry: quay.example
  tag: v9
  web: {registry: quay.example, image: {repository: team/web, tag: v1}}
  job: {image: team/job}
  full: {image: {repository: docker.example/team/full, tag: v2}}
  git: {repository: team/sources, tag: v3}
`)}`;
    expect(found(text)).toEqual([
      'likely data.values r.example/mesh/proxy:1.30 in part',
      'likely spec.web.image.repository quay.example/team/web:v1 in part spec.web.image.tag spec.web.registry',
      'likely spec.job.image quay.example/team/job:v9 in part spec.tag spec.registry',
      'likely spec.full.image.repository docker.example/team/full:v2 in part spec.full.image.tag',
    ]);
  });

  test('stand in texts: YAML, JSON, other configuration and scripts, but not in comments', () => {
    const text = configMap(`  plain: registry.example.com/plain:1
  pod.yaml: |
    # image: registry.example.com/old:1
    kind: Pod
    spec: {containers: [{name: a, image: busybox}]}
    sidecar: {image: {repository: team/sidecar, tag: "2"}}
  conf.json: '{"image": "team/json:1", "url": "https://registry.example.com/v2/x:1"}'
  conf.toml: |
    image = "team/toml:1"   # or registry.example.com/old:2
    [[x]]
    cache = 'redis:6379'
  template: |
    {{ if .X }}
    image: "registry.example.com/templated:{{ .Tag }}"
    proxy: registry.example.com/proxy:1
    {{ end }}
  versions: |
    1.0=registry.example.com/server:1.0
    1.1=registry.example.com/server:1.1
`);
    expect(found(text)).toEqual([
      'likely data.plain registry.example.com/plain:1',
      'likely data.pod.yaml busybox in part',
      'likely data.pod.yaml team/sidecar:2 in part',
      'likely data.conf.json team/json:1 in part',
      'likely data.conf.toml team/toml:1 in part',
      'likely data.template registry.example.com/proxy:1 in part',
      'likely data.versions registry.example.com/server:1.0 in part',
      'likely data.versions registry.example.com/server:1.1 in part',
    ]);
  });

  test('are annotations that are nothing else, and what Secrets have of the archive', () => {
    const text = custom(
      `spec: {template: {metadata: {annotations: {proxyImage: a.example/proxy:1, note: "see a.example/b:1"}}}}`,
    );
    expect(found(text)).toEqual(['likely spec.template.metadata.annotations.proxyImage a.example/proxy:1']);
    const base64 = Buffer.from('image: a.example/held:1\nother: a.example/unheld:1\n').toString('base64');
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: ${base64}}\nstringData: {b: "a.example/held:1", c: "a.example/unheld:1"}\n`;
    expect(found(secret, ['a.example/held:1'])).toEqual([
      'likely data.a a.example/held:1 in part',
      'likely stringData.b a.example/held:1',
    ]);
  });
});

describe('what only looks like a reference', () => {
  test.each([
    'https://registry.example.com/path:1',
    'oci://registry.example.com/charts/web:1.0.0',
    'prometheus.monitoring.svc:9090/api/v1',
    'web.example.com:443',
    '10.0.0.0/8:80',
    'github.com/org/repo/main.go:12',
    'k8s.example.io/pkg/file.go:12',
    'node-role.kubernetes.io/control-plane:NoSchedule',
    'example.com/gpu:NoExecute',
    'monitoring.example.com/v1beta1:Rule',
    'app.kubernetes.io/name:web',
    '/var/lib/data.d:/data',
    'values.1/x:1',
    'a.example/b',
    'a.example/b:{{ .Tag }}',
    'Registry.Example.com/App:1',
    'jdbc:postgresql://db.example.com/app:1',
    'cluster:namespace:pod_cpu/active:sum',
    'urn:a.example/b:c',
    'a.example//b:1',
  ])('%s is none', (value) => {
    expect(found(custom(`spec: {field: ${JSON.stringify(value)}, args: [${JSON.stringify(`--x=${value}`)}]}`))).toEqual(
      [],
    );
  });

  test('is in definitions of kinds, in rights, in labels, in status and in words for people', () => {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crd}
spec: {versions: [{schema: {openAPIV3Schema: {description: a.example/b:1, properties: {image: {default: "a.example/b:1"}}}}}]}
`;
    const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{resourceNames: ["a.example/b:1"]}]\n`;
    expect(found(`${crd}---\n${role}`)).toEqual([]);
    expect(found(custom('spec: {description: "a.example/b:1"}\nstatus: {image: "a.example/b:1"}'))).toEqual([]);
  });
});

test('the images of several objects are sorted, each once', () => {
  const objects = parseDocuments(
    `${custom('spec: {containers: [{image: b}, {image: a}]}')}---\n${custom('x: {containers: [{image: a}]}')}`,
    'f',
  );
  expect(imagesOf(objects)).toEqual(['a', 'b']);
});

test('strings are changed in a copy, and nothing else is', () => {
  const [object] = parseDocuments(custom('spec: {list: [{image: "a.example/b:1"}, 2], other: {x: 1}}'), 'f');
  const before = structuredClone(object!);
  const changed = changeStrings(object!, [{ path: ['spec', 'list', 0, 'image'], value: 'mirror:5000/b:1' }]);
  expect(object).toEqual(before);
  expect(JSON.stringify(changed)).toBe(JSON.stringify(before).replace('a.example/b:1', 'mirror:5000/b:1'));
});
