/** Registries: names, credentials, hints, and their content. */

export { certificatesFrom } from './certificates.ts';
export type {
  /** The environment of a helper. */
  HelperContext,
} from './credential-helper.ts';
export { credentialHelpers } from './credential-helper.ts';
export type {
  /** Asks the credential helper `name`, which the file `path` names, for a server; undefined if it has nothing. */
  AskHelper,
  /** Proves to a registry who a user is. */
  Credentials,
} from './credentials.ts';
export { credentialsFromFiles, type FindCredentials } from './credentials.ts';
export { lacksRepository, missingRepositories } from './hints.ts';
export { openRegistries } from './open-registries.ts';
export type {
  /** Where the repositories of registries really are. */
  Locations,
  /** A place to pull a repository from. */
  PullPlace,
  RegistryOptions,
  /** Sizes in bytes that decide how to send a blob. */
  UploadSizes,
} from './options.ts';
export { listReferenceTags, openReference, solutionReference, writableTarget } from './reference.ts';
export { readLocations } from './registry-locations.ts';
export type { Registries, Repository } from './repository-kind.ts';
export { type RepositoryTarget, targetFor } from './repository-target.ts';
