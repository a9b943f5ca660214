export { certificatesFrom } from './certificates.ts';
export { credentialHelpers } from './credential-helper.ts';
export { credentialsFromFiles, type FindCredentials } from './credentials.ts';
export { openRegistries, type Registries } from './open-registries.ts';
export type { RegistryOptions } from './options.ts';
export { listReferenceTags, openReference, solutionReference, writableTarget } from './reference.ts';
export { readLocations } from './registry-locations.ts';
export type { Repository } from './repository.ts';
export { type RepositoryTarget, targetFor } from './repository-target.ts';
