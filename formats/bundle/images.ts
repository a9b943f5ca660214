import { mappingsOf } from './pods.ts';
import type { OperatorBundle } from './read.ts';

/** An image that an operator says it uses, and where it says so. */
export interface OperatorImage {
  readonly reference: string;
  readonly path: string;
}

/**
 * Lists the images that an operator starts by itself, and that its containers do not run: those of `relatedImages`, and
 * those of variables named `RELATED_IMAGE_…`.
 */
export function operatorImages({ operator }: OperatorBundle): OperatorImage[] {
  const found = new Map<string, string>();
  for (const [at, reference] of operator.relatedImages.entries()) found.set(reference, `relatedImages.${at}.image`);
  for (const { name, spec } of operator.deployments) {
    const pod = spec.template.spec;
    const containers = [...mappingsOf(pod['containers']), ...mappingsOf(pod['initContainers'])];
    for (const variable of containers.flatMap(({ env }) => mappingsOf(env))) {
      const { name: called, value } = variable;
      if (typeof called !== 'string' || !called.startsWith('RELATED_IMAGE_')) continue;
      if (typeof value === 'string' && value !== '' && !found.has(value)) found.set(value, `${name}.env.${called}`);
    }
  }
  return [...found].map(([reference, path]) => ({ reference, path }));
}
