import type { Kubeconfig } from './kubeconfig.ts';

/** Makes the headers that ask to act as somebody else (Kubernetes, "User impersonation"). */
export function impersonationOf({ user }: Kubeconfig): Readonly<Record<string, string | readonly string[]>> {
  const extra = Object.entries(user['as-user-extra'] ?? {}).map(
    ([name, values]) => [`impersonate-extra-${encodeURIComponent(name)}`, values] as const,
  );
  return {
    ...(user.as === undefined ? {} : { 'impersonate-user': user.as }),
    ...(user['as-uid'] === undefined ? {} : { 'impersonate-uid': user['as-uid'] }),
    ...(user['as-groups'] ? { 'impersonate-group': user['as-groups'] } : {}),
    ...Object.fromEntries(extra),
  };
}
