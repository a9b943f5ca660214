/**
 * The test files that start a control plane of their own, but for the heavy ones: `npm run test:cluster` runs them, and
 * so does `npm run check`. `npm test` leaves them out, because they take a fifth of its time.
 */
export const clusterFiles: readonly string[] = [
  'test/cli/agent-cluster-operator.test.ts',
  'test/cli/boot.test.ts',
  'test/cli/configured-life.test.ts',
  'test/cli/history.test.ts',
  'test/cli/install-archives.test.ts',
  'test/cli/install-screen.test.ts',
  'test/cli/install-served.test.ts',
  'test/cli/install-sites.test.ts',
  'test/cli/load-cluster.test.ts',
  'test/cli/outside-installs.test.ts',
  'test/cli/overview.test.ts',
  'test/cli/serve-page-cluster.test.ts',
  'test/cli/support-bundle.test.ts',
  'test/cli/uninstall.test.ts',
  'test/cli/upgrade-graphs.test.ts',
  'test/formats/kubernetes/judged.test.ts',
  'test/lib/flows/doctor/network.test.ts',
  'test/lib/flows/render/render.test.ts',
  'test/lib/parts/clusters/kubernetes/health/probes/endpoint.test.ts',
];
