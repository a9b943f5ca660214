import type { InstallRequest } from './request.ts';

/** What has a default, as the steps of an install go by it. */
type Defaults = Required<Pick<InstallRequest, 'timeout' | 'variables' | 'allowMissingImages' | 'test' | 'strict'>>;

/** A request of which nothing is open. */
export type SettledInstall = Omit<InstallRequest, keyof Defaults | 'hostsDir' | 'cluster'> & {
  readonly [K in keyof Defaults]: NonNullable<Defaults[K]>;
} & { readonly [K in 'hostsDir' | 'cluster']: InstallRequest[K] | undefined };

/** Adds to a request what it leaves out. */
export function settled(request: InstallRequest): SettledInstall {
  return {
    ...request,
    hostsDir: request.hostsDir,
    cluster: request.cluster,
    timeout: request.timeout ?? 300_000,
    variables: request.variables ?? {},
    allowMissingImages: request.allowMissingImages ?? false,
    test: request.test ?? false,
    strict: request.strict ?? false,
  };
}
