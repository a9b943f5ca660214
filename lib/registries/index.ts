export type { RegistryOptions } from './client.ts';
export { type Credentials, credentialsFromFiles } from './credentials.ts';
export { openRepository, type Repository } from './distribution.ts';
export type { ServedContent, ServedRepository } from './embedded/content.ts';
export { type RunningRegistry, startRegistry } from './embedded/server.ts';
export { type RepositoryTarget, targetFor } from './target.ts';
