/** Where a configuration is from, and what it may name for that reason. */

export {
  /** The origin of a document that comes from a cluster. */
  clusterOrigin,
} from './cluster.ts';
export type {
  /** `Grants` as an operator writes them. */
  WrittenGrants,
} from './grants.ts';
export {
  /** The origin of a document that the operator has named on this machine. */
  machineOrigin,
} from './machine.ts';
export type {
  /** Where a document comes from, and so what it may name. */
  Origin,
} from './origin.ts';
