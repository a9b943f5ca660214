/** Reads the state of a cluster: status of Solutions, settings, nodes, and a snapshot. */

export {
  /** Lists the nodes of a cluster; undefined where the server does not let them be listed. */
  readNodes,
} from './nodes.ts';
export {
  /** Reads what a cluster reports itself. */
  readClusterSettings,
} from './settings/index.ts';
export {
  /** Reads what the Secrets of all Solutions hold, and prepares to read the rest. */
  takeSnapshot,
} from './snapshot/index.ts';
export {
  /** Compares what the newest generation of a configuration applied with what is there. */
  readStatus,
  /** Puts back what has drifted, or is gone, of the newest generation of a configuration. */
  repairConfiguration,
} from './status/index.ts';
export {
  /** Returns an API in whose answers nobody finds a Secret that a program has printed. */
  withoutSecrets,
} from './without-secrets.ts';
