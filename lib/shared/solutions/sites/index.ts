/** Values, Secrets and patches of a site. */

export {
  /** Digests all that a site sets, for the inputs of steps. */
  sitesDigest,
  /** Digests what a site sets for a Solution, or for one of its environments, without its secrets. */
  solutionSiteDigest,
} from './digest.ts';
export {
  /** What a site sets for one component of a Solution. */
  type SiteInputs,
  /** A patch of rendered objects. */
  type SitePatch,
  /** A text of a site, by the file that it stands in: one of its own, or the configuration. */
  type SiteText,
  /** Makes the error about fields of a text of a site. */
  siteError,
  /** Finds what a site sets for a component of a Solution, or of one of its environments. */
  siteOf,
  /** Lists all secrets of a site. */
  siteSecrets,
} from './inputs.ts';
export {
  /** A values file that was given in addition to the configuration. */
  type HandedValues,
  /** Reads all that a site sets: values, secrets and patches, each with its place for errors. */
  readSites,
} from './read.ts';
