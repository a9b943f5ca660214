/** Lists the kinds of component that a definition can name. */
export const componentKinds = [
  'manifests',
  'kustomize',
  'helm',
  'plugin',
  'registry+v1',
  'plain+v0',
  'components.d',
] as const;

/** Lists the kinds of component that are made with values. */
export const valuedKinds: readonly string[] = ['helm', 'registry+v1'];

/** Lists the kinds of component that may draw values when they are rendered, such as passwords. */
export const drawingKinds: readonly string[] = ['helm'];

/** Fields of components that have a meaning for some kinds only: which kinds these are. */
export const fieldKinds = {
  values: valuedKinds,
  set: valuedKinds,
  release: ['helm'],
  channel: ['registry+v1'],
  'skip-schema-validation': ['helm'],
  'keep-drawn': drawingKinds,
} as const;
