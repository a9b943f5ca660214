export { certificatesFrom } from './certificates.ts';
export { credentialHelpers } from './credential-helper.ts';
export { type Credentials, credentialsFromFiles, type FindCredentials } from './credentials.ts';
export type { Repository } from './distribution.ts';
export { readLocations } from './locations.ts';
export { openRegistries, openRepository, type Registries } from './open.ts';
export type { RegistryOptions } from './options.ts';
export { openReference, solutionReference, writableTarget } from './reference.ts';
export { type RepositoryTarget, targetFor } from './target.ts';
