import type { PreflightCheck } from './check.ts';

/** Finds what the cluster would not take, or what it would break there: rights, stored custom resources. */
export const requestCheck: PreflightCheck = ({ cluster, configuration, named: solutions }, flow) =>
  cluster.examine({ configuration, solutions }, flow);
