import { duration } from '../lib/command.ts';
import type { Allowance, InstallRequest, Trusting } from '../lib/index.ts';
import { absolute, usage, variableSettings } from './arguments.ts';
import type { CommonOptions } from './command-session.ts';
import type { ImageDeliveryOptions } from './delivery-options.ts';
import { type GrantOptions, grantsOf } from './document-grants.ts';
import { generationCount } from './generations.ts';
import { type Io, ownEnvironment } from './io.ts';
import { mediaContext } from './place.ts';
import type { RegistryConnections, RegistryFlags } from './registry.ts';
import { handedValues } from './site-values.ts';
import { rootNamed, type TrustOptions, trustNobody, trustOf, trustRequired, trustState } from './trust.ts';

/** The options that say whom an install trusts. */
export interface InstallTrustOptions extends TrustOptions {
  readonly allowDowngrade?: boolean;
  readonly allowUnsigned?: string[];
  readonly insecureSkipVerify?: boolean;
}

/** The options of `solpack install`. */
export interface InstallOptions
  extends RegistryFlags,
    InstallTrustOptions,
    CommonOptions,
    ImageDeliveryOptions,
    GrantOptions {
  readonly configuration: string;
  readonly caFile?: string;
  readonly render?: string;
  readonly imagesOnly?: boolean;
  readonly kubeVersion?: string;
  readonly kubeconfig?: string;
  readonly timeout: string;
  readonly forceConflicts?: boolean;
  readonly takeOver?: string[];
  readonly allowMissingImages?: boolean;
  readonly rollbackOnFailure?: boolean;
  readonly through?: boolean;
  readonly keepGenerations: string;
  readonly allowUnsupportedKubernetes?: boolean;
  readonly allowMissingPlatforms?: boolean;
  readonly allowBreakingDefinitions?: boolean;
  readonly test?: boolean;
  readonly strict?: boolean;
  readonly values?: string[];
  readonly variable?: string[];
  readonly plan?: boolean;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly allowRemoval?: string[];
  readonly confirm?: string;
  readonly progressTo?: string;
  readonly progressAs?: string;
}

/**
 * Returns what an install is asked for, but where images and objects go. `isFollowed` says that the configuration is
 * read from the cluster. Throws `trust-required`, `usage-invalid`.
 */
export async function requestOf(
  io: Io,
  options: InstallOptions,
  connect: RegistryConnections['connect'],
  isFollowed = false,
): Promise<Omit<InstallRequest, 'delivery' | 'hostsDir' | 'cluster'>> {
  return {
    trust: await trusting(io, options),
    configuration: absolute(io, options.configuration),
    media: mediaContext(io, options.caFile, connect),
    timeout: 1000 * duration(options.timeout, '--timeout'),
    variables: variableSettings(options.variable ?? []),
    kubernetes: renderedFor(options),
    allowMissingImages: options.allowMissingImages ?? false,
    allow: allowed(options),
    test: options.test ?? false,
    rollbackOnFailure: options.rollbackOnFailure ?? false,
    through: options.through ?? false,
    keepGenerations: generationCount(options.keepGenerations),
    strict: options.strict ?? false,
    values: handedValues(io, options.values ?? []),
    environment: ownEnvironment(io),
    grants: await grantsOf(io, options, isFollowed),
    takeOver: options.takeOver,
    confirmed: options.confirm === undefined ? undefined : absolute(io, options.confirm),
  };
}

/** Refuses to be asked for a plan and for what one says at once. */
export function requirePlanOrRun({ plan, confirm, through }: InstallOptions): void {
  if (through && confirm !== undefined) {
    throw usage(
      '--through',
      'contradicts --confirm, because a plan is for one install',
      'confirm each of them separately',
    );
  }
  if (plan && confirm !== undefined) throw usage('--plan', 'contradicts --confirm', 'give one of them');
}

/** Returns what the install continues in spite of. */
function allowed(options: InstallOptions): Allowance[] {
  const { allowUnsupportedKubernetes, allowMissingPlatforms, allowBreakingDefinitions } = options;
  return [
    ...(allowUnsupportedKubernetes ? ['unsupported-kubernetes' as const] : []),
    ...(allowMissingPlatforms ? ['missing-platforms' as const] : []),
    ...(allowBreakingDefinitions ? ['breaking-definitions' as const] : []),
  ];
}

/** Returns the Kubernetes version for --render. Throws `usage-invalid`. */
function renderedFor({ render, kubeVersion }: InstallOptions): string | undefined {
  if (kubeVersion === undefined || render !== undefined) return kubeVersion;
  throw usage('--kube-version', 'is for --render', 'leave it out: a cluster says which version it has');
}

/** Returns whom to trust, which one of the options has to say. Throws `trust-required`, `usage-invalid`. */
export async function trusting(io: Io, options: InstallTrustOptions): Promise<Trusting | 'skip'> {
  const { key, policy, allowDowngrade = false, allowUnsigned, insecureSkipVerify } = options;
  if (insecureSkipVerify) {
    const given = Object.entries({ '--key': key, '--policy': policy, '--allow-unsigned': allowUnsigned }).find(
      ([, value]) => value !== undefined,
    );
    if (given) throw usage('--insecure-skip-verify', `contradicts ${given[0]}`, 'leave one of them out');
    return 'skip';
  }
  const state = trustState(io, options);
  const basis = (await trustOf(io, options, state)) ?? (allowUnsigned && (await trustNobody(state)));
  if (basis === undefined) throw trustRequired();
  return { basis, state, allowDowngrade, allowUnsigned: (allowUnsigned ?? []).map(rootNamed) };
}
