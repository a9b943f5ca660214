/** Names the `apiVersion` that MetalK8s expects in the documents of a Solution. */
export const SOLUTIONS_API: string = 'solutions.metalk8s.scality.com/v1alpha1';
/** The kind of the object that says what was decided about the plan of an agent. */
export const APPROVAL_KIND = 'SolutionsApproval';
