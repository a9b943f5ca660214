import { inApplyOrder } from '../../../shared/rendering/index.ts';
import type { PreflightCheck } from './check.ts';

/** Finds what the cluster would not take, or what it would break there: rights, stored custom resources. */
export const requestCheck: PreflightCheck = async ({ cluster, configuration, named }, flow) =>
  cluster.examine({ configuration, solutions: inApplyOrder(named, await cluster.facts(flow)) }, flow);
