export { certificatesFrom } from './certificates.ts';
export { credentialHelpers } from './credential-helper.ts';
export { credentialsFromFiles, type FindCredentials } from './credentials.ts';
export { openRegistries } from './open-registries.ts';
export type { RegistryOptions } from './options.ts';
export { listReferenceTags, openReference, solutionReference, writableTarget } from './reference.ts';
export { readLocations } from './registry-locations.ts';
export type { Registries, Repository } from './repository-kind.ts';
export { type RepositoryTarget, targetFor } from './repository-target.ts';
