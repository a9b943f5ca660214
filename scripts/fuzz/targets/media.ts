import { formatDocuments, parseDocuments } from '../../../formats/manifest/documents.ts';
import { checksumIn } from '../../../formats/metalk8s/checksums.ts';
import { operatorObjects, parseOperatorRoles } from '../../../formats/metalk8s/operator.ts';
import {
  type Metalk8sSolution,
  parseMetalk8sManifest,
  parseMetalk8sProduct,
} from '../../../formats/metalk8s/solution.ts';
import { isLabel, isSemVer } from '../../../formats/solution/names.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const manifest = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: Solution
metadata:
  name: clock
  annotations: {solutions.metalk8s.scality.com/display-name: Clock}
spec:
  version: 1.0.0
  images: ["server:1.0.0", clock-operator:1.0.0]
  operator: {image: {name: clock-operator, tag: 1.0.0}}
`;
const config = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionConfig
operator: {image: {name: other}}
images: [a:1]
`;
const roles = `kind: Role
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: a, namespace: b}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
---
{"kind": "ClusterRole", "apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "c"}}
`;
const sums = `${'a'.repeat(64)}  clock.iso\n${'b'.repeat(64)} *./out/clock.iso\n${'c'.repeat(64)}\n`;

/** What media for MetalK8s say of themselves, and files of checksums beside them. */
export const media = parsers(
  'media',
  6,
  'kind: Solution¦version: 1.0¦version: "1"¦name: -a¦operator: ¦image: ¦NAME=¦VERSION=1.0.0¦\'¦"¦=¦  ¦ *¦Role¦namespace: ¦---\n',
  {
    manifest: { samples: [manifest], read: (bytes) => bringUp(parseMetalk8sManifest(bytes.toString())) },
    product: {
      samples: ['NAME="Example Solution"\nVERSION=1.0.0-dev\nBUILD_HOST=here\n'],
      read: (bytes) => bringUp(parseMetalk8sProduct(bytes.toString(), undefined)),
    },
    config: {
      samples: [config],
      read: (bytes) => bringUp(parseMetalk8sProduct('NAME=a\nVERSION=1.0.0\n', bytes.toString())),
    },
    roles: { samples: [roles], read: (bytes) => readRoles(bytes.toString()) },
    checksums: {
      samples: [sums],
      read: (bytes) => {
        const digest = checksumIn(bytes.toString(), 'clock.iso');
        must(digest === undefined || /^sha256:[0-9a-f]{64}$/.test(digest), 'a checksum is none');
      },
    },
  },
);

/** What a medium says becomes objects that are read again as they were written. */
function bringUp(solution: Metalk8sSolution): void {
  must(isLabel(solution.name) && isSemVer(solution.version), 'a Solution has no name or no version');
  const objects = operatorObjects(solution, [], solution.images ?? []);
  const again = parseDocuments(formatDocuments(objects), 'again.yaml');
  must(JSON.stringify(again) === JSON.stringify(objects), 'objects that were written anew are others');
}

function readRoles(text: string): void {
  for (const { kind, metadata } of parseOperatorRoles(text, 'role.yaml')) {
    must(kind === 'Role' || kind === 'ClusterRole', 'what is no role is taken for one');
    must(!('namespace' in metadata), 'a role keeps its namespace');
  }
}
