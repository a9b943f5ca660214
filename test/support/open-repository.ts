import {
  openRegistries,
  type RegistryOptions,
  type Repository,
  type RepositoryTarget,
} from '../../lib/parts/registries/index.ts';

/** Opens a repository of its own, with which its connections end. Throws `usage-invalid`. */
export async function openRepository(target: RepositoryTarget, options: RegistryOptions = {}): Promise<Repository> {
  const registries = openRegistries(options);
  return Object.assign(registries.open(target), { close: async () => registries.close() });
}
