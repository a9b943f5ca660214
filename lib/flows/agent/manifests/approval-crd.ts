import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { APPROVAL_KIND, SOLUTIONS_API } from '../../../../formats/solution/solutions-api.ts';

const [group = '', version = ''] = SOLUTIONS_API.split('/');

const text = { type: 'string' };
const column = (name: string, type: string, jsonPath: string): object => ({ name, type, jsonPath });

const schema = {
  type: 'object',
  description: 'What somebody has decided about the plan of an agent for the SolutionsConfiguration of the same name.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['seal', 'decision'],
      properties: {
        seal: {
          ...text,
          maxLength: 97,
          pattern: '^[0-9a-f]{32}:[0-9a-f]{64}$',
          description: 'status.plan.seal of the SolutionsConfiguration: only this plan is approved or denied.',
        },
        decision: { ...text, enum: ['Approved', 'Denied'] },
        reason: { ...text, maxLength: 1024, description: 'Why, for people.' },
      },
    },
  },
};

/**
 * Makes the definition of what decides about plans. It is a kind of its own because the API server has no finer rights
 * than to a resource: whoever may write an annotation may write the configuration too.
 */
export function approvalDefinition(): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `solutionsapprovals.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: {
        kind: APPROVAL_KIND,
        listKind: `${APPROVAL_KIND}List`,
        plural: 'solutionsapprovals',
        singular: 'solutionsapproval',
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: [
            column('Decision', 'string', '.spec.decision'),
            column('Age', 'date', '.metadata.creationTimestamp'),
          ],
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}
