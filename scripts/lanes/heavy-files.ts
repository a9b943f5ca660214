/** What a test file costs that is too slow for each change, and which changes it is worth running for. */
export interface HeavyFile {
  /** Wall time in seconds on two cores, both busy. */
  readonly seconds: number;
  /** Files and folders of the project: a change below one of them makes this file worth running. */
  readonly watches: readonly string[];
}

const cluster = ['lib/install', 'lib/clusters', 'lib/plan'] as const;
const iso = ['formats/iso9660', 'lib/archives'] as const;
const node = [...cluster, 'lib/mirrors', 'lib/serve'] as const;

/**
 * The test files that `npm run test:heavy` runs, and `npm run check` only if a change touches what they watch. All other
 * files run with each change. Seconds come from `npm run test:slowest`.
 */
export const heavyFiles: Readonly<Record<string, HeavyFile>> = {
  'test/cli/api-restarted.test.ts': { seconds: 210, watches: [...cluster] },
  'test/cli/two-operators-removal.test.ts': { seconds: 245, watches: [...cluster, 'lib/uninstall'] },
  'test/cli/two-operators.test.ts': { seconds: 90, watches: [...cluster] },
  'test/cli/environments.test.ts': { seconds: 170, watches: [...cluster, 'formats/solution', 'lib/solutions'] },
  'test/cli/rights.test.ts': { seconds: 150, watches: ['lib/rights', 'lib/clusters', 'formats/manifest'] },
  'test/cli/agent-manifests.test.ts': { seconds: 108, watches: ['lib/agent', 'cli/commands/agent.ts'] },
  'test/cli/agent.test.ts': {
    seconds: 95,
    watches: ['lib/agent', 'cli/commands/agent.ts', 'lib/clusters/kubernetes/agent', 'lib/solutions/origin'],
  },
  'test/cli/serve-soak.test.ts': { seconds: 80, watches: ['lib/serve', 'lib/registry-server'] },
  'test/cli/serve-registry.test.ts': { seconds: 105, watches: ['lib/serve', 'lib/registry-server', 'lib/registries'] },
  'test/cli/completion.test.ts': { seconds: 105, watches: ['cli/completion', 'lib/complete'] },
  'test/cli/registry-media-ways.test.ts': { seconds: 85, watches: ['lib/solutions/media', 'lib/registries'] },
  'test/cli/killed-push.test.ts': { seconds: 45, watches: ['lib/push', 'lib/registries', 'lib/http'] },
  'test/cli/full-disks.test.ts': {
    seconds: 60,
    watches: ['lib/pending-file.ts', 'lib/held-folder.ts', 'lib/folder-tree.ts', 'lib/install', 'lib/trust'],
  },
  'test/lib/clusters/kubernetes/hooks/interrupted.test.ts': {
    seconds: 180,
    watches: ['lib/clusters/kubernetes/hooks', 'lib/plan'],
  },
  'test/lib/clusters/kubernetes/interrupted.test.ts': { seconds: 168, watches: ['lib/clusters', 'lib/plan'] },
  'test/scripts/executable.test.ts': {
    seconds: 106,
    watches: ['scripts/executable', 'scripts/build-bin.ts', 'scripts/pins.json'],
  },
  'test/scripts/fresh-clone.test.ts': {
    seconds: 1500,
    watches: ['scripts/run.mjs', 'scripts/home.ts', 'scripts/judges', 'scripts/build-bin.ts'],
  },
  'test/cli/killed.test.ts': {
    seconds: 100,
    watches: ['lib/install', 'lib/clusters', 'lib/uninstall', 'lib/repair', 'lib/rollback'],
  },
  'test/cli/remote.test.ts': { seconds: 100, watches: ['lib/http', 'lib/archives', 'lib/inspect'] },
  'test/cli/status.test.ts': {
    seconds: 80,
    watches: ['lib/status', 'lib/clusters/kubernetes/status', 'lib/repair', 'lib/uninstall'],
  },
  'test/cli/operator-bundles.test.ts': { seconds: 80, watches: ['formats/bundle', 'lib/components'] },
  'test/cli/install-plan.test.ts': {
    seconds: 75,
    watches: ['lib/install', 'lib/plan', 'lib/clusters/kubernetes/plan.ts'],
  },
  'test/cli/rollback.test.ts': {
    seconds: 65,
    watches: ['lib/rollback', 'lib/install', 'lib/clusters/kubernetes/generations'],
  },
  'test/cli/metalk8s.test.ts': { seconds: 62, watches: ['formats/metalk8s', 'lib/solutions/metalk8s'] },
  'test/cli/metalk8s-rendered.test.ts': {
    seconds: 35,
    watches: ['formats/metalk8s', 'lib/solutions/metalk8s', 'lib/rendering'],
  },
  'test/cli/metalk8s-view.test.ts': { seconds: 25, watches: ['formats/metalk8s', 'lib/solutions/metalk8s'] },
  'test/cli/operations.test.ts': { seconds: 60, watches: ['docs/operations.md', 'lib/install', 'lib/clusters'] },
  'test/cli/repair-every.test.ts': {
    seconds: 60,
    watches: ['lib/repair', 'lib/status', 'cli/commands/repair.ts', 'cli/commands/status.ts'],
  },
  'test/cli/install-preflight.test.ts': {
    seconds: 60,
    watches: ['lib/clusters/kubernetes/preflight.ts', 'lib/rights', 'lib/install'],
  },
  'test/lib/clusters/kubernetes/client/server.test.ts': {
    seconds: 60,
    watches: ['lib/clusters/kubernetes/client', 'lib/clusters'],
  },
  'test/cli/plugin-upgrade.test.ts': { seconds: 55, watches: ['lib/components', 'lib/clusters', 'lib/load'] },
  'test/cli/set-pivot.test.ts': {
    seconds: 48,
    watches: ['lib/clusters/kubernetes/pivot.ts', 'lib/install', 'lib/clusters'],
  },
  'test/cli/sets-in-clusters.test.ts': {
    seconds: 40,
    watches: ['formats/resolve', 'lib/resolve', 'lib/solutions', 'lib/clusters'],
  },
  'test/cli/pipelines-page.test.ts': { seconds: 32, watches: ['docs/pipelines.md', 'scripts/image'] },
  'test/cli/keep-drawn.test.ts': { seconds: 50, watches: ['lib/install', 'lib/rendering', 'lib/components'] },
  'test/cli/long-integers.test.ts': { seconds: 43, watches: ['formats/manifest', 'lib/clusters', 'lib/rendering'] },
  'test/cli/bootstrap-executable.test.ts': { seconds: 30, watches: ['docs/bootstrap.md', 'scripts/executable'] },
  'test/cli/node-versions.test.ts': { seconds: 21, watches: ['cli/bin.js', 'scripts/build.ts', 'package.json'] },
  'test/scripts/large.test.ts': {
    seconds: 55,
    watches: ['lib/push', 'lib/registries', 'lib/pack', 'scripts/large.ts'],
  },
  'test/scripts/build.test.ts': { seconds: 33, watches: ['scripts/build.ts', 'scripts/package', 'package.json'] },
  'test/scripts/package.test.ts': { seconds: 28, watches: ['scripts/package', 'package.json', 'package-lock.json'] },
  'test/contracts/iso-huge.test.ts': { seconds: 42, watches: ['formats/iso9660', 'lib/archives'] },
  'test/contracts/registry-quirks.test.ts': { seconds: 60, watches: ['lib/registries', 'lib/push', 'lib/http'] },
  'test/contracts/push-targets.test.ts': { seconds: 28, watches: ['lib/registries', 'lib/push'] },
  'test/contracts/harbor.test.ts': { seconds: 11, watches: ['lib/registries', 'lib/push'] },
  'test/cli/push-pull.test.ts': { seconds: 66, watches: ['lib/push', 'lib/pull', 'lib/registries'] },
  'test/cli/media.test.ts': { seconds: 48, watches: ['lib/solutions', 'lib/archives', 'lib/block-device.ts'] },
  'test/cli/registry-media.test.ts': { seconds: 28, watches: ['lib/solutions', 'lib/registries'] },
  'test/cli/pack-resume.test.ts': { seconds: 48, watches: ['lib/pack', 'lib/pending-file.ts', 'lib/copy.ts'] },
  'test/lib/pack/resume.test.ts': { seconds: 30, watches: ['lib/pack', 'lib/pending-file.ts'] },
  'test/lib/pack/remote-charts.test.ts': { seconds: 42, watches: ['lib/pack', 'lib/sources', 'formats/chart'] },
  'test/lib/uninstall/interrupted.test.ts': { seconds: 50, watches: ['lib/uninstall', 'lib/clusters'] },
  'test/lib/install/still.test.ts': { seconds: 38, watches: ['lib/install', 'lib/rendering', 'formats/chart'] },
  'test/formats/bundle/convert.test.ts': { seconds: 42, watches: ['formats/bundle'] },
  'test/formats/cel/judged.test.ts': { seconds: 30, watches: ['formats/cel'] },
  'test/cli/attestations.test.ts': {
    seconds: 38,
    watches: ['formats/in-toto', 'lib/trust', 'lib/sign', 'lib/registries'],
  },
  'test/lib/serve/watch.test.ts': { seconds: 26, watches: ['lib/serve'] },
  'test/formats/iso9660/scale.test.ts': { seconds: 16, watches: ['formats/iso9660'] },
  'test/node/interrupted.test.ts': { seconds: 344, watches: [...cluster] },
  'test/node/loader.test.ts': { seconds: 247, watches: ['lib/agent', 'cli/commands/agent.ts', 'lib/load'] },
  'test/node/apply.test.ts': { seconds: 186, watches: [...cluster] },
  'test/node/apply-refusals.test.ts': { seconds: 178, watches: ['lib/clusters', 'formats/kubernetes'] },
  'test/node/images-on-node.test.ts': { seconds: 140, watches: ['lib/node-images', 'lib/install/delivery'] },
  'test/node/agent.test.ts': { seconds: 126, watches: ['lib/agent', 'lib/clusters/kubernetes/agent'] },
  'test/node/helm.test.ts': {
    seconds: 92,
    watches: ['lib/components', 'lib/rendering', 'lib/clusters/kubernetes/hooks'],
  },
  'test/node/lifecycle.test.ts': { seconds: 90, watches: ['scripts/node', 'scripts/node.ts'] },
  'test/node/failures-api.test.ts': { seconds: 90, watches: ['lib/clusters/kubernetes'] },
  'test/node/failures.test.ts': { seconds: 84, watches: [...cluster] },
  'test/node/rolling.test.ts': { seconds: 71, watches: [...node] },
  'test/node/cluster.test.ts': { seconds: 64, watches: ['lib/clusters', 'scripts/node'] },
  'test/node/diagnose.test.ts': { seconds: 61, watches: ['lib/clusters/kubernetes/diagnose'] },
  'test/node/seed.test.ts': { seconds: 58, watches: ['lib/seed', 'lib/solutions'] },
  'test/node/owners.test.ts': { seconds: 58, watches: ['lib/clusters/kubernetes'] },
  'test/node/environments.test.ts': { seconds: 50, watches: ['formats/solution', 'lib/solutions', 'lib/install'] },
  'test/node/status.test.ts': { seconds: 44, watches: ['lib/status', 'lib/clusters/kubernetes/status'] },
  'test/node/support-bundle.test.ts': { seconds: 43, watches: ['lib/support-bundle'] },
  'test/node/serve-registry.test.ts': { seconds: 16, watches: ['lib/serve', 'lib/registry-server'] },
  'test/node/bounds.test.ts': { seconds: 12, watches: ['formats/trust', 'lib/trust'] },
  'test/node/load.test.ts': { seconds: 33, watches: ['lib/load'] },
  'test/node/metalk8s.test.ts': { seconds: 31, watches: ['formats/metalk8s', 'lib/solutions/metalk8s'] },
  'test/node/runtimes.test.ts': { seconds: 12, watches: ['lib/mirrors', 'lib/serve'] },
  'test/node/node.test.ts': { seconds: 30, watches: ['scripts/node'] },
  'test/node/image-places.test.ts': { seconds: 30, watches: ['lib/install/delivery', 'lib/node-images'] },
  'test/kernel/mount.test.ts': { seconds: 100, watches: ['lib/mount', ...iso] },
  'test/kernel/iso9660.test.ts': { seconds: 65, watches: ['formats/iso9660'] },
};

/** Files of `test/node` that run with each change: the first two commands of the README, and the life of a Solution. */
export const mainPath: readonly string[] = [
  'test/node/install.test.ts',
  'test/node/setup.test.ts',
  'test/node/tutorial.test.ts',
];
