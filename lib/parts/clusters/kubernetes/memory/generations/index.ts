/** Generations of configurations, as the cluster stores them. */

export {
  /** Does `work` as a generation of its configuration. */
  inGeneration,
} from './record.ts';
export {
  /** Names all configurations that a cluster remembers generations of, in order. */
  readConfigurations,
  /** Reads what a generation applied. */
  readContent,
  /** Reads the generations of a configuration, the newest first. */
  readGenerations,
  /** Reads the generations of a configuration as they are stored, the newest first. */
  readHeaders,
} from './store.ts';
