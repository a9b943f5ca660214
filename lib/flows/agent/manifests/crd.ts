import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { SOLUTIONS_API } from '../../../../formats/solution/solutions-api.ts';

const [GROUP = '', VERSION = ''] = SOLUTIONS_API.split('/');

const text = { type: 'string' };
const texts = { type: 'array', items: { type: 'string', minLength: 1 } };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/**
 * What a site sets, by component; lists of what the documentation says. What is wrong in them, the agent tells with its
 * place.
 */
const site = {
  values: { ...free, description: 'Values for charts, by component: paths of files, or mappings.' },
  secrets: { ...free, description: 'Values that are not written here, by component.' },
  patches: { ...free, description: 'Patches for rendered objects, by component.' },
  keepDrawn: { ...free, description: 'Whether upgrades keep what charts drew, by component: true or false.' },
};

/** A condition as `meta/v1` has it (Kubernetes API conventions, "Typical status properties"). */
const condition = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { ...text, maxLength: 316 },
    status: { ...text, enum: ['True', 'False', 'Unknown'] },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    lastTransitionTime: { ...text, format: 'date-time' },
    reason: { ...text, minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
    message: { ...text, maxLength: 32_768 },
  },
};
const conditions = {
  type: 'array',
  items: condition,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

const listOf = (properties: Readonly<Record<string, object>>): object => ({
  type: 'array',
  items: { type: 'object', properties },
});

/** What the resolver decided, as `solpack history --why` prints it: for other controllers to read. */
const resolution = {
  type: 'object',
  description: 'Why the generation that is there has these Solutions.',
  properties: {
    solutions: listOf({
      name: text,
      version: text,
      why: { ...text, enum: ['wanted', 'required', 'recommended'] },
      reason: text,
      passedOver: { type: 'array', items: text, description: 'Other versions that there were archives of.' },
      needs: listOf({ kind: text, name: text, range: text, by: text }),
      outside: listOf({ kind: text, name: text, range: text, version: text, by: text }),
    }),
    installed: listOf({ name: text, version: text, configuration: text }),
    unmet: listOf({ of: text, name: text, range: text }),
    replaced: listOf({ name: text, by: text }),
    heldBack: listOf({ name: text, version: text, reason: text }),
  },
};

/** What an agent would do, where somebody has to approve it. One writer writes it as a whole. */
const plan = {
  ...free,
  'x-kubernetes-map-type': 'atomic',
  description: 'The plan that waits for approval, or is carried out.',
  properties: {
    seal: { ...text, description: 'What an approval names.' },
    state: { ...text, enum: ['Waiting', 'Approved', 'Denied'] },
    configuration: { ...text, description: 'The digest of the configuration that it was made from.' },
    changes: listOf({ action: text, subject: text }),
    more: { type: 'integer', description: 'How many changes are not listed.' },
    document: { ...text, description: 'The whole plan, as "solpack install --plan --json" prints it: base64 of gzip.' },
  },
};

const status = {
  type: 'object',
  description: 'The state that the agent reports.',
  properties: {
    observedGeneration: {
      type: 'integer',
      format: 'int64',
      description: 'The metadata.generation that this status describes.',
    },
    generation: { type: 'integer', format: 'int64', description: 'The number of the present generation.' },
    plan,
    conditions,
    resolution,
    solutions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name', 'version'],
        properties: { name: text, version: text, conditions },
      },
    },
  },
};

const solution = {
  type: 'object',
  required: ['name', 'archives'],
  // What is not known is for the agent to refuse: a server would drop it without a word.
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    name: { ...text, minLength: 1 },
    activeVersion: { ...text, nullable: true, description: 'A version, a range, "latest" or "none".' },
    archives: texts,
    environments: {
      ...free,
      nullable: true,
      description: 'Namespaces, with a version or a range, or a mapping with more fields.',
    },
    ...site,
  },
};

const schema = {
  type: 'object',
  description: 'Which archives there are, and which version of each Solution is active.',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    solutions: { type: 'array', items: solution },
    archives: { ...texts, nullable: true },
    active: { type: 'object', additionalProperties: text, nullable: true },
    ...site,
    status,
  },
};

const column = (name: string, type: string, path: string): object => ({ name, type, jsonPath: path });
const ofReady = (field: string): string => `.status.conditions[?(@.type=="Ready")].${field}`;

/** Makes the definition of the custom resource that an agent follows: of the same shape as the file. */
export function configurationDefinition(): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `solutionsconfigurations.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: {
        kind: 'SolutionsConfiguration',
        listKind: 'SolutionsConfigurationList',
        plural: 'solutionsconfigurations',
        singular: 'solutionsconfiguration',
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            column('Ready', 'string', ofReady('status')),
            column('Reason', 'string', ofReady('reason')),
            column('Generation', 'integer', '.status.generation'),
            column('Age', 'date', '.metadata.creationTimestamp'),
          ],
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** The API group of it. */
export const CONFIGURATION_GROUP: string = GROUP;
