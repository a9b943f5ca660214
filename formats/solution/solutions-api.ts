/** Names the `apiVersion` that MetalK8s expects in the documents of a Solution. */
export const SOLUTIONS_API: string = 'solutions.metalk8s.scality.com/v1alpha1';
