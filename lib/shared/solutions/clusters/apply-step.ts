import { installRights } from '../../../../formats/manifest/install-rights.ts';
import { grantedRights } from '../../../../formats/manifest/powers.ts';
import type { Product, StepKind, Work } from '../../../kernel/plan/index.ts';
import type { ApplyRequest, ApplyResult, ClusterTarget } from '../../../parts/clusters/index.ts';
import type { ReadCluster } from './read-cluster.ts';

/** What the step is planned from. */
export interface ApplyRead {
  /** The configuration in whose name objects are applied. */
  readonly configuration: string;
  /** Undefined where nothing is applied. */
  readonly cluster: ReadCluster | undefined;
  /** Whether the tests of charts are run in the end. Left out: false. */
  readonly test?: boolean;
  /** Solutions that are taken from other configurations. Left out: none. */
  readonly takeOver?: readonly string[] | undefined;
}

/** What the step is run with. */
export interface ApplyMeans {
  readonly cluster: ClusterTarget | undefined;
}

/** Where objects go, in whose name, and the Solutions that this one has brought there before. */
type Inputs = {
  readonly cluster: string;
  readonly configuration: string;
  readonly brought: readonly { readonly name: string; readonly version: string; readonly state: string }[];
  readonly test: boolean;
  /** Solutions that are taken from other configurations. */
  readonly takeOver?: readonly string[];
};

/** Given once everything that was rendered is in the cluster, and ready, and what is no longer wanted is gone. */
export const applied: Product<ApplyResult> = { product: 'applied Solutions' };

/**
 * Makes the step that hands what was rendered on to the cluster, which plans by itself what that changes there. It
 * comes after all that gives `rendered`, or a product of `after`; `requestOf` says what is to be there.
 */
export function applyStep<Rendered, Means extends ApplyMeans = ApplyMeans>(
  rendered: Product<Rendered>,
  requestOf: (given: Rendered, configuration: string, work: Work<Means>) => ApplyRequest,
  after: readonly Product<unknown>[] = [],
): StepKind<ApplyRead, Means, Inputs, ApplyResult> {
  const clusterOf = ({ means: { cluster } }: Work<Means>): ClusterTarget => {
    if (cluster === undefined) throw new Error('there is no cluster to apply to');
    return cluster;
  };
  const requestFor = ({ configuration, test, takeOver }: Inputs, work: Work<Means>): ApplyRequest => {
    return { ...requestOf(work.one(rendered), configuration, work), test, takeOver };
  };
  return {
    kind: 'apply',
    takes: [rendered, ...after],
    gives: applied,
    plan: ({ configuration, cluster, test = false, takeOver = [] }) => {
      if (cluster === undefined) return [];
      const { name: subject, inventory } = cluster;
      const brought = inventory
        .filter((entry) => entry.configuration === configuration)
        .map(({ name, version, state }) => ({ name, version, state }));
      const taking = takeOver.length === 0 ? {} : { takeOver };
      return [{ subject, inputs: { cluster: subject, configuration, brought, test, ...taking } }];
    },
    run: ({ inputs }, work) => {
      const request = requestFor(inputs, work);
      const { confirmed } = work;
      return clusterOf(work).apply({ ...request, ...(confirmed && { confirmed }) }, work.flow);
    },
    foresee: async ({ inputs }, work) => {
      const request = requestFor(inputs, work);
      const foreseen = await clusterOf(work).foresee(request, work.flow);
      const components = request.solutions.flatMap((solution) => solution.components);
      const subjects = grantedRights(components.flatMap(({ objects }) => objects));
      const rights = { subjects, needed: installRights(components) };
      return { output: { solutions: [], removed: [] }, ...foreseen, rights };
    },
  };
}
