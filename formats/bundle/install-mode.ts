import type { InstallMode, ServiceVersion } from './csv.ts';
import { refusedBundle } from './files.ts';

/** What a site says of the namespaces that an operator watches. */
export interface WatchWish {
  readonly installMode?: InstallMode | undefined;
  readonly watchNamespaces?: readonly string[] | undefined;
}

/** The one entry of the namespaces that are watched where all of them are. */
export const ALL = '';

/**
 * Decides which namespaces an operator in `namespace` watches: `ALL` alone means all. Where nobody says so, that is all
 * of them, otherwise its own, as far as the operator supports it. Throws `FormatError` `operator-bundle-invalid` for a
 * wish that it does not support, and where somebody has to say (Operator Lifecycle Manager, "Operator scoping": install
 * modes).
 */
export function watchedNamespaces(
  { installModes }: Pick<ServiceVersion, 'installModes'>,
  namespace: string,
  { installMode, watchNamespaces = [] }: WatchWish,
): readonly string[] {
  const wished = [...new Set(watchNamespaces)];
  const mode = installMode ?? (wished.length > 0 ? modeOf(wished, namespace) : byDefault(installModes));
  const supported = installModes.length === 0 ? 'none' : installModes.join(', ');
  if (mode === undefined) {
    throw refusedBundle(
      `needs to know which namespaces to watch: it supports the install modes ${supported}; set watchNamespaces`,
    );
  }
  if (!installModes.includes(mode)) {
    throw refusedBundle(`does not support the install mode ${mode}${why(wished, installMode)}, but ${supported}`);
  }
  if (mode === 'MultiNamespace' && wished.includes(namespace) && !installModes.includes('OwnNamespace')) {
    throw refusedBundle(`does not support to watch its own namespace ${namespace} among others, but ${supported}`);
  }
  const implied = mode === 'AllNamespaces' ? [ALL] : mode === 'OwnNamespace' ? [namespace] : [];
  const watched = wished.length > 0 ? wished : implied;
  if (watched.length === 0) {
    throw refusedBundle(`has the install mode ${mode}, which needs watchNamespaces`);
  }
  if (!fits(mode, watched, namespace)) {
    throw refusedBundle(`has the install mode ${mode}, which does not watch ${words(watched)}`);
  }
  return watched;
}

function byDefault(modes: readonly InstallMode[]): InstallMode | undefined {
  return (['AllNamespaces', 'OwnNamespace'] as const).find((one) => modes.includes(one));
}

function modeOf(watched: readonly string[], namespace: string): InstallMode {
  if (watched.length > 1) return 'MultiNamespace';
  if (watched[0] === ALL) return 'AllNamespaces';
  return watched[0] === namespace ? 'OwnNamespace' : 'SingleNamespace';
}

function fits(mode: InstallMode, watched: readonly string[], namespace: string): boolean {
  if (mode === 'AllNamespaces') return watched.length === 1 && watched[0] === ALL;
  if (watched.includes(ALL)) return false;
  if (mode === 'OwnNamespace') return watched.length === 1 && watched[0] === namespace;
  return mode === 'MultiNamespace' ? watched.length > 1 : watched.length === 1 && watched[0] !== namespace;
}

function why(wished: readonly string[], installMode: InstallMode | undefined): string {
  return installMode === undefined && wished.length > 0 ? `, which ${words(wished)} would be` : '';
}

function words(watched: readonly string[]): string {
  return watched[0] === ALL && watched.length === 1 ? 'all namespaces' : watched.join(', ');
}
