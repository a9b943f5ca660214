import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApplyRequest } from '../../../lib/parts/clusters/kind.ts';
import { HOME, PART_OF, setOf } from '../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import type { TestNode } from '../node.ts';
import type { Order, Told } from './apply.ts';
import { within } from './within.ts';

const script = join(import.meta.dirname, 'apply.ts');

/** What the API server tells of objects. */
export interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { name: string; namespace?: string; resourceVersion: string; labels: Record<string, string> };
    readonly data?: Record<string, string>;
  }[];
}

/** Applies requests to the API server of a node, by the target that installs use, and looks at what came of it. */
export function applying(node: () => TestNode) {
  const tried = (request: ApplyRequest, more: Partial<Order> = {}): Promise<Told> =>
    within(node(), script, 'apply', { kubeconfig: node().kubeconfig, request, ...more });

  /** What became of each object, by its words. */
  async function applied(request: ApplyRequest, more: Partial<Order> = {}): Promise<Record<string, string>> {
    const told = await tried(request, more);
    expect(told.error).toBeUndefined();
    const { solutions, removed } = told.result!;
    const objects = [...solutions, ...removed].flatMap((one) => one.objects);
    return Object.fromEntries(objects.map(({ object, action }) => [object, action]));
  }

  async function refused(request: ApplyRequest, more: Partial<Order> = {}): Promise<NonNullable<Told['error']>> {
    const told = await tried(request, more);
    expect(told.result).toBeUndefined();
    return told.error!;
  }

  /** Every object of a Solution, and its parent, as kubectl sees them, with something that tells its state. */
  async function seen(
    name: string,
    tell: (object: Listed['items'][number]) => unknown,
  ): Promise<Record<string, unknown>> {
    const kinds = 'namespaces,configmaps,secrets,services,deployments,jobs,pods,crd,pv,pvc';
    const members = await node().get<Listed>(kinds, '-A', '-l', `${PART_OF}=${setOf(name)}`);
    const field = `metadata.name=solution-${name}`;
    const parents = await node().get<Listed>('configmaps', '-n', HOME, '--field-selector', field);
    const all = [...members.items, ...parents.items];
    return Object.fromEntries(
      all.map((one) => [`${one.kind} ${one.metadata.namespace ?? ''}/${one.metadata.name}`, tell(one)]),
    );
  }
  return { tried, applied, refused, seen };
}
