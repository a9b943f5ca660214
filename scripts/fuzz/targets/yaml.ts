import { isDeepStrictEqual } from 'node:util';
import { exactJson } from '../../../formats/exact-json.ts';
import { definitionBreaks } from '../../../formats/kubernetes/definition-breaks.ts';
import { shapeCheck } from '../../../formats/kubernetes/index.ts';
import { fieldPlaceWords } from '../../../formats/kubernetes/problems.ts';
import { changeStrings } from '../../../formats/manifest/change-strings.ts';
import { fieldDifferences } from '../../../formats/manifest/differences.ts';
import { formatDocuments, parseDocuments } from '../../../formats/manifest/documents.ts';
import { asInstalled, splitHooks } from '../../../formats/manifest/hooks.ts';
import { isRemote, parseKustomization, runsPrograms } from '../../../formats/manifest/kustomization.ts';
import { withNamespace } from '../../../formats/manifest/namespace.ts';
import { referencesIn } from '../../../formats/manifest/references.ts';
import { addedRights, rightsOf } from '../../../formats/manifest/rights.ts';
import { parseYaml } from '../../../formats/manifest/yaml.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import { type ConfigurationEdit, editConfiguration } from '../../../formats/solution/configuration-edit.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const objects = `# comment
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {helm.sh/hook: "pre-install", helm.sh/hook-weight: "-1"}}
spec:
  replicas: 0o2
  template:
    spec:
      containers:
      - &c
        name: web
        image: example.com/web:1
        args: ["a", 'b', ~, 1e3, 0x1f, yes, 1_000, .5]
      - {<<: *c, name: again}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: text
data:
  a: |
    several
    lines
  b: >-
    folded
     text
  c: |
    image: {repository: example.com/sidecar, tag: 1}
    helper: docker.io/library/busybox:1
  ? long
  : "quoted \\u00e9 \\n"
...
---
{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}]}
`;
const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [a.yaml, ../base, "https://example.com/x.yaml"]
generators: [plugin.yaml]
transformers:
- |-
  apiVersion: builtin
  kind: LabelTransformer
  metadata: {name: x, annotations: {config.kubernetes.io/function: "container: {}"}}
patches: [{path: p.yaml}]
configMapGenerator:
- name: c
  files: [a=b.txt]
  envs: [x.env]
`;
const grouped = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: site}
solutions:
- name: hello
  activeVersion: "1.0.0"
  archives: [/srv/hello.iso]
  environments: {team-a: "1.0.0", team-b: ^1}
  values: {web: [site.yaml, {replicas: 0o3, on: {a: [1]}}]}
  secrets: {web: [{path: 'db.my\\.key', env: PW}, {path: [a, b], file: /run/s}]}
  patches:
    web:
    - {path: p.yaml, target: {kind: Pod, labelSelector: a=b}, options: {allowNameChange: true}}
    - patch: '[{"op": "remove", "path": "/spec"}]'
      target: {name: web.*}
`;
const flat = `apiVersion: metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
archives: [/srv/hello.iso]
active: {hello: latest}
environments: {hello: {team-a: 1.0.0}}
values: {hello: {web: [{replicas: 3}]}}
patches: {hello: {web: [{path: p.yaml}]}}
`;

const workloads = `apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec: {ports: [{name: http, port: 80, targetPort: http}], selector: {app: web}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: job, image: "a:1", resources: {requests: {cpu: 1m}, limits: {cpu: 1.5Gi}}}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Gadget, plural: gadgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties: {spec: {type: object, properties: {a: {type: array, items: {enum: [b, c], type: string}}}}}
---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: gadget}
spec: {a: [b]}
`;

/** Files in YAML. */
export const yaml = parsers(
  'yaml',
  35,
  'apiVersion: ¦kind: List¦items: ¦metadata: {name: x}¦&a ¦*a¦<<: ¦!!binary ¦!x ¦--- ¦...\n¦%YAML 1.1\n¦- ' +
    `¦? ¦: ¦|+\n¦>-\n¦# ¦{a: ¦[[¦0o17¦.inf¦~¦on¦12:30:45¦2001-01-01¦\\x¦''¦containers:¦image: ¦tag: 1
¦repository: example.com/a
¦example.com/a:1¦--image=a/b:1`,
  {
    documents: { samples: [objects], read: (bytes) => readObjects(bytes.toString()) },
    shapes: { samples: [objects, workloads], read: (bytes) => checkShapes(bytes.toString()) },
    values: { samples: [objects, kustomization], read: (bytes) => void parseYaml(bytes.toString(), 'values.yaml') },
    kustomization: { samples: [kustomization], read: (bytes) => readKustomization(bytes.toString()) },
    configuration: { samples: [grouped, flat], read: (bytes) => readConfiguration(bytes) },
    edits: { samples: [grouped, flat], read: (bytes) => editAll(bytes) },
  },
);

function readConfiguration(bytes: Buffer): void {
  for (const { values, secrets, patches } of parseConfiguration(bytes).sites) {
    for (const { at } of [...values, ...secrets, ...patches]) {
      const { line, column } = at.error('yaml-invalid', [{ path: ['replicas'], message: 'is looked for' }]).position;
      must(line > 0 && column > 0, 'a field of a site has no place');
    }
  }
}

/** An edit ends with a configuration that says it, in which a second one of the same kind changes nothing. */
function editAll(bytes: Buffer): void {
  const edits: ConfigurationEdit[] = [
    { edit: 'add', solution: 'guestbook', entry: 'a new.iso' },
    { edit: 'want', solution: 'guestbook', wanted: '>=1.2 <2' },
    { edit: 'remove', entry: 'a new.iso' },
    { edit: 'want', solution: 'guestbook', wanted: 'none' },
    { edit: 'place', solution: 'hello', environment: 'team-a', wanted: '^1.2' },
    { edit: 'place', solution: 'hello', environment: 'team-c', wanted: 'latest' },
    { edit: 'place', solution: 'hello', environment: 'team-a', wanted: 'none' },
  ];
  edits.reduce((before: Uint8Array, edit) => {
    const after = editConfiguration(before, edit);
    must(editConfiguration(after, edit) === after, 'an edit is not done by being done once');
    return after;
  }, bytes);
}

function readObjects(text: string): void {
  const list = parseDocuments(text, 'web.yaml');
  for (const object of list) {
    for (const { path, whole, reference } of referencesIn(object, (name) => name.includes('1'))) {
      if (!whole) continue;
      const changed = changeStrings(object, [{ path, value: reference }]);
      must(isDeepStrictEqual(changed, object), 'a reference is not where it was found');
    }
  }
  withNamespace(list, 'hello');
  const { objects, hooks } = splitHooks(list);
  must(objects.length + hooks.length === list.length, 'an object is no hook and none else, or both');
  must(asInstalled(list).length <= list.length, 'an object is installed twice');
  const again = parseDocuments(formatDocuments(list), 'again.yaml');
  must(exactJson(again) === exactJson(list), 'objects that were written anew are others');
}

function checkShapes(text: string): void {
  const list = parseDocuments(text, 'web.yaml');
  const check = shapeCheck(35, list);
  addedRights(rightsOf(list.slice(1)), rightsOf(list));
  for (const [index, object] of list.entries()) {
    for (const { message } of definitionBreaks(object, list[index + 1] ?? object)) checkMessage(message);
    must(fieldDifferences(object, object).length === 0, 'an object differs from itself');
  }
  for (const { path, message } of list.flatMap(check)) {
    checkMessage(message);
    must(fieldPlaceWords(path) !== '', 'a problem is nowhere');
  }
}

function readKustomization(text: string): void {
  const { resources, inlinePlugins } = parseKustomization(text, 'kustomization.yaml');
  resources.forEach(isRemote);
  for (const plugin of inlinePlugins) runsPrograms(plugin, 'kustomization.yaml');
}
