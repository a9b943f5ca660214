import { z } from 'zod';
import { version } from './json-parts.ts';

const hostsDir = z.string().describe("containerd's config_path");
const registry = z.string().describe('HOST[:PORT], as in references');
const files = z.array(z.string());

/** How a node pulls the images of a registry. */
export const nodeMirror = z.object({
  registry,
  path: z.string().describe('its hosts.toml'),
  state: z
    .enum(['ready', 'missing', 'drifted', 'unreachable'])
    .describe('unreachable where one of its servers does not answer; another one may'),
  reason: z.string().nullable().describe('why it is not ready'),
  servers: z
    .array(z.object({ url: z.string(), reason: z.string().nullable().describe('why it does not answer') }))
    .describe('in the order in which the node asks them'),
});

/** What commands print about the mirrors of a node. */
export const mirrorSchemas = {
  'join-mirror': z.object({
    schemaVersion: version,
    hostsDir,
    registries: z.array(registry).describe('registries whose images the node now pulls from the servers'),
    servers: z.array(
      z.object({
        url: z.string(),
        serves: z
          .array(registry)
          .nullable()
          .describe('the registries of whose images it has some, as it reports; null if it does not answer'),
      }),
    ),
    written: files,
    unchanged: files,
  }),
  'leave-mirror': z.object({
    schemaVersion: version,
    hostsDir,
    removed: files,
    kept: files.describe('those that an install needs too'),
  }),
  'status-mirrors': z.object({
    schemaVersion: version,
    hostsDir,
    ready: z.boolean().describe('whether all are'),
    mirrors: z.array(nodeMirror),
  }),
};
