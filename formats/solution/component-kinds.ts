/** Lists the kinds of component that a definition can name. */
export const componentKinds = ['manifests', 'kustomize', 'helm', 'plugin'] as const;
