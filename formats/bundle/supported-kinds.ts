/**
 * The kinds that a registry+v1 bundle may hold besides its own, and whether OLM puts them into the namespace of the
 * operator.
 */
export const supportedKinds: ReadonlyMap<string, 'namespaced' | 'cluster'> = new Map([
  ['ClusterRole', 'cluster'],
  ['ClusterRoleBinding', 'cluster'],
  ['ConfigMap', 'namespaced'],
  ['ConsoleCLIDownload', 'cluster'],
  ['ConsoleLink', 'cluster'],
  ['ConsolePlugin', 'cluster'],
  ['ConsoleQuickStart', 'cluster'],
  ['ConsoleYAMLSample', 'cluster'],
  ['NetworkPolicy', 'namespaced'],
  ['PodDisruptionBudget', 'namespaced'],
  ['PodMonitor', 'namespaced'],
  ['PriorityClass', 'cluster'],
  ['PrometheusRule', 'namespaced'],
  ['Role', 'namespaced'],
  ['RoleBinding', 'namespaced'],
  ['Secret', 'namespaced'],
  ['Service', 'namespaced'],
  ['ServiceAccount', 'namespaced'],
  ['ServiceMonitor', 'namespaced'],
  ['VerticalPodAutoscaler', 'cluster'],
]);
