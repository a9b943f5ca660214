import type { Product } from '../../kernel/plan/index.ts';

/** Given once the registry in the cluster answers. */
export const answering: Product<void> = { product: 'registry in the cluster' };

/** Given once the registry's own images stay on this node, so that its Pod starts where no registry answers. */
export const kept: Product<void> = { product: 'images that stay on the node' };
