import { z } from '../../../../../../formats/schema.ts';

/** An optional text; empty and null are as good as absent, as for kubectl. */
export const optional = z
  .string()
  .nullish()
  .transform((value) => value || undefined);

/** What a kubeconfig says of a cluster (Kubernetes, "kubeconfig (v1)"). */
export const clusterSchema = z.looseObject({
  server: z.string().min(1),
  'certificate-authority': optional,
  'certificate-authority-data': optional,
  'insecure-skip-tls-verify': z.boolean().nullish(),
  'tls-server-name': optional,
  'proxy-url': optional,
});

/** What it says of a program that prints credentials (Kubernetes, "client-go credential plugins"). */
export const execSchema = z.looseObject({
  apiVersion: z.string().min(1),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.looseObject({ name: z.string().min(1), value: z.string() })).nullish(),
  installHint: optional,
  interactiveMode: optional,
  provideClusterInfo: z.boolean().nullish(),
});

/** What it says of a user. */
export const userSchema = z.looseObject({
  'client-certificate': optional,
  'client-certificate-data': optional,
  'client-key': optional,
  'client-key-data': optional,
  token: optional,
  tokenFile: optional,
  username: optional,
  password: optional,
  as: optional,
  'as-uid': optional,
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
  'auth-provider': z
    .looseObject({ name: z.string().min(1), config: z.record(z.string(), z.string()).nullish() })
    .nullish(),
  exec: execSchema.nullish(),
});

/** What it says of a context. */
export const contextSchema = z.looseObject({ cluster: z.string().min(1), user: optional });

const entries = z.array(z.looseObject({ name: z.string() })).nullish();
/** All of it. Entries are checked when they are used, because those that are not may be of any form. */
export const documentSchema = z.looseObject({
  clusters: entries,
  users: entries,
  contexts: entries,
  'current-context': optional,
});

/** A program that prints credentials. */
export type ExecEntry = z.infer<typeof execSchema>;
